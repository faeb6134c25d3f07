provider "linode" {
  token = var.token
}

provider "linode" {
  alias = "staging"
  token = var.staging_token
}

resource "linode_instance" "web" {
  label     = "prod-web"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass
}

resource "linode_instance" "web_staging" {
  provider  = linode.staging
  label     = "staging-web"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  tags      = ["elsewhere"]
  root_pass = var.root_pass
}

resource "linode_domain" "prod" {
  type      = "master"
  domain    = "prod.example"
  soa_email = "dns@example.org"
}

resource "linode_domain" "staging" {
  provider  = linode.staging
  type      = "master"
  domain    = "staging.example"
  soa_email = "dns@example.org"
  tags      = ["elsewhere"]
}

resource "linode_domain_record" "www" {
  domain_id   = linode_domain.prod.id
  name        = "www"
  record_type = "A"
  target      = "192.0.2.14"
}

resource "linode_domain_record" "gone" {
  provider    = linode.staging
  domain_id   = linode_domain.staging.id
  name        = "www"
  record_type = "A"
  target      = "192.0.2.15"
}
