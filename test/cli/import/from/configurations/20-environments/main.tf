resource "linode_domain" "main" {
  type      = "master"
  domain    = "big.example"
  soa_email = "dns@example.org"
  ttl_sec   = 300
  tags      = ["big"]
}

resource "linode_image" "base" {
  label = "big-base"
}

module "env" {
  source   = "./env"
  for_each = { prod = 3, dev = 1 }
  name     = each.key
  size     = each.value
  image    = linode_image.base.id
  zone     = linode_domain.main
}

# env/main.tf
module "web" {
  source = "../web"
  size   = var.size
  image  = var.image
}

module "dns" {
  source = "../dns"
  domain = "${var.name}.${var.zone.domain}"
  ips    = module.web.ips
}

resource "linode_database_mysql_v2" "db" {
  count      = var.name == "prod" ? 1 : 0
  label      = "big-${var.name}"
  engine_id  = "mysql/8.0.30"
  region     = "us-east"
  type       = "g6-standard-1"
  allow_list = ["${module.web.ips[0]}/32"]
}

resource "linode_domain_record" "delegation" {
  domain_id   = var.zone.id
  name        = var.name
  record_type = "CNAME"
  target      = module.dns.domain
}
