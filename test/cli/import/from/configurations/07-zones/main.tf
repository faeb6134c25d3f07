module "zone" {
  source   = "./zone"
  for_each = var.zones
  domain   = each.key
  records  = each.value
}

# zone/main.tf
resource "linode_domain" "this" {
  type      = "master"
  domain    = var.domain
  soa_email = "dns@example.org"
  tags      = ["zones"]
}

resource "linode_domain_record" "this" {
  for_each    = { for r in var.records : "${r.name}/${r.type}" => r }
  domain_id   = linode_domain.this.id
  name        = each.value.name
  record_type = each.value.type
  target      = each.value.target
  priority    = try(each.value.priority, null)
  ttl_sec     = try(each.value.ttl, null)
}
