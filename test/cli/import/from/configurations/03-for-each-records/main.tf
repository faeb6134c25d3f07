locals {
  records = { for r in var.records : try(r.key, "${r.name}|${r.type}|${r.target}") => r }
}

resource "linode_domain" "zone" {
  type        = "master"
  domain      = "records.example"
  description = "The zone of everything"
  soa_email   = "dns@example.org"
  ttl_sec     = 3600
  refresh_sec = 14400
  retry_sec   = 3600
  expire_sec  = 604800
  axfr_ips    = ["192.0.2.53"]
}

resource "linode_domain_record" "all" {
  for_each    = local.records
  domain_id   = linode_domain.zone.id
  name        = each.value.name
  record_type = each.value.type
  target      = each.value.target
  priority    = try(each.value.priority, null)
  service     = try(each.value.service, null)
  protocol    = try(each.value.protocol, null)
  weight      = try(each.value.weight, null)
  port        = try(each.value.port, null)
  tag         = try(each.value.tag, null)
}
