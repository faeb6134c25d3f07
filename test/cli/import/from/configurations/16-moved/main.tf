moved {
  from = linode_instance.web
  to   = module.web["blue"].linode_instance.this
}

moved {
  from = linode_domain.main
  to   = linode_domain.zone
}

module "web" {
  source   = "./web"
  for_each = toset(["blue"])
  label    = "moved-web"
}

resource "linode_domain" "zone" {
  type      = "master"
  domain    = "moved.example"
  soa_email = "dns@example.org"
}

resource "linode_domain_record" "site" {
  domain_id   = linode_domain.zone.id
  record_type = "A"
  target      = module.web["blue"].ip_address
}

resource "linode_domain_record" "site2" {
  domain_id   = linode_domain.zone.id
  name        = "www"
  record_type = "A"
  target      = module.web["blue"].ip_address
}
