variable "name" { type = string }
variable "region" { type = string }
variable "domain_id" { type = number }
variable "root_pass" {
  type      = string
  sensitive = true
}

resource "linode_instance" "web" {
  label     = "shop-${var.name}"
  region    = var.region
  type      = "g6-nanode-1"
  image     = "linode/debian12"
  root_pass = var.root_pass
  tags      = ["shop"]
}

resource "linode_domain_record" "dns" {
  domain_id   = var.domain_id
  name        = var.name
  record_type = "A"
  target      = linode_instance.web.ip_address
  ttl_sec     = 300
}

output "node_id" {
  value = linode_instance.web.id
}

output "address" {
  value = linode_instance.web.ip_address
}
