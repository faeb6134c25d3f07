terraform {
  required_providers {
    linode = {
      source  = "linode/linode"
      version = "~> 2.0"
    }
  }
}

variable "root_pass" {
  type      = string
  sensitive = true
}

locals {
  sites = { eu = "eu-west", us = "us-west" }
}

resource "linode_domain" "main" {
  type      = "master"
  domain    = "shop.example"
  soa_email = "dns@example.org"
}

module "site" {
  source    = "./site"
  for_each  = local.sites
  name      = each.key
  region    = each.value
  domain_id = linode_domain.main.id
  root_pass = var.root_pass
}

resource "linode_firewall" "web" {
  label           = "web"
  inbound_policy  = "DROP"
  outbound_policy = "ACCEPT"
  linodes         = [for site in module.site : site.node_id]

  inbound {
    label    = "https"
    action   = "ACCEPT"
    protocol = "TCP"
    ports    = "443"
    ipv4     = ["0.0.0.0/0"]
  }
}

output "addresses" {
  value = { for name, site in module.site : name => site.address }
}
