resource "linode_instance" "web" {
  label           = "web-1"
  image           = "linode/debian12"
  region          = "us-east"
  type            = "g6-nanode-1"
  authorized_keys = [chomp(file("~/.ssh/id_ed25519.pub"))]
  root_pass       = var.root_pass
  tags            = ["web"]
}

resource "linode_domain" "main" {
  type      = "master"
  domain    = "quick.example"
  soa_email = "dns@example.org"
  tags      = ["web"]
}

resource "linode_domain_record" "root" {
  domain_id   = linode_domain.main.id
  record_type = "A"
  target      = linode_instance.web.ip_address
}

resource "linode_domain_record" "www" {
  domain_id   = linode_domain.main.id
  name        = "www"
  record_type = "CNAME"
  target      = linode_domain.main.domain
  ttl_sec     = 300
}
