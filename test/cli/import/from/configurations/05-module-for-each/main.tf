resource "linode_domain" "main" {
  type      = "master"
  domain    = "sites.example"
  soa_email = "dns@example.org"
}

module "site" {
  source    = "./site"
  for_each  = { eu = "eu-west", us = "us-west" }
  name      = each.key
  region    = each.value
  domain_id = linode_domain.main.id
}
