resource "linode_domain" "main" {
  type      = "master"
  domain    = "order.example"
  soa_email = "dns@example.org"
}

resource "linode_instance" "db" {
  label      = "order-db"
  image      = "linode/debian12"
  region     = "us-east"
  type       = "g6-nanode-1"
  root_pass  = var.root_pass
  depends_on = [linode_domain.main]

  lifecycle {
    prevent_destroy = true
  }
}

resource "linode_instance" "app" {
  count      = 2
  label      = "order-app-${count.index}"
  image      = "linode/debian12"
  region     = "us-east"
  type       = "g6-nanode-1"
  root_pass  = var.root_pass
  depends_on = [linode_instance.db]
}

resource "linode_domain_record" "ready" {
  domain_id   = linode_domain.main.id
  name        = "ready"
  record_type = "TXT"
  target      = "yes"
  depends_on  = [linode_instance.app]
}
