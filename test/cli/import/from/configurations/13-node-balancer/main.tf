resource "linode_instance" "backend" {
  count      = 2
  label      = "backend-${count.index}"
  image      = "linode/debian12"
  region     = "us-east"
  type       = "g6-nanode-1"
  private_ip = true
  root_pass  = var.root_pass
}

resource "linode_volume" "data" {
  count     = 2
  label     = "data-${count.index}"
  size      = 20
  region    = "us-east"
  linode_id = linode_instance.backend[count.index].id
}

resource "linode_nodebalancer" "lb" {
  label  = "lb"
  region = "us-east"
}

resource "linode_nodebalancer_config" "http" {
  nodebalancer_id = linode_nodebalancer.lb.id
  port            = 80
  protocol        = "http"
}

resource "linode_nodebalancer_node" "backend" {
  count           = 2
  nodebalancer_id = linode_nodebalancer.lb.id
  config_id       = linode_nodebalancer_config.http.id
  address         = "${linode_instance.backend[count.index].private_ip_address}:80"
  label           = "b${count.index}"
}

resource "linode_rdns" "backend" {
  count   = 2
  address = linode_instance.backend[count.index].ip_address
  rdns    = "b${count.index}.example.net"
}

resource "linode_domain" "main" {
  type      = "master"
  domain    = "lb.example"
  soa_email = "dns@example.org"
}

resource "linode_domain_record" "lb" {
  domain_id   = linode_domain.main.id
  record_type = "A"
  target      = linode_nodebalancer.lb.ipv4
}
