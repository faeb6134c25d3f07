resource "linode_domain" "main" {
  type      = "master"
  domain    = "count.example"
  soa_email = "dns@example.org"
}

resource "linode_instance" "web" {
  count           = 3
  label           = "count-web-${count.index + 1}"
  image           = "linode/debian12"
  region          = "us-east"
  type            = "g6-nanode-1"
  private_ip      = true
  authorized_keys = [var.ssh_key]
  root_pass       = var.root_pass
  tags            = ["web", "count"]
}

resource "linode_domain_record" "web" {
  count       = length(linode_instance.web)
  domain_id   = linode_domain.main.id
  record_type = "A"
  target      = element(linode_instance.web[*].ip_address, count.index)
  ttl_sec     = 300
}

resource "linode_domain_record" "node" {
  count       = length(linode_instance.web)
  domain_id   = linode_domain.main.id
  name        = "node${count.index + 1}"
  record_type = "A"
  target      = linode_instance.web[count.index].ip_address
}
