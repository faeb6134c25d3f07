resource "linode_instance" "vlan" {
  label     = "vlan-1"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass

  dynamic "interface" {
    for_each = var.interfaces
    content {
      purpose      = interface.value.purpose
      label        = try(interface.value.label, null)
      ipam_address = try(interface.value.ipam_address, null)
    }
  }

  metadata {
    user_data = base64encode(file("cloud-config.yaml"))
  }

  alerts {
    cpu = 95
  }
}

resource "linode_instance" "vpc" {
  label       = "vpc-1"
  image       = "linode/debian12"
  region      = "us-east"
  type        = "g6-nanode-1"
  root_pass   = var.root_pass
  firewall_id = linode_firewall.web.id

  interface {
    purpose   = "vpc"
    subnet_id = linode_vpc_subnet.main.id
  }

  placement_group {
    id = 9
  }
}

resource "linode_firewall" "web" {
  label           = "web"
  inbound_policy  = "DROP"
  outbound_policy = "ACCEPT"

  dynamic "inbound" {
    for_each = [22, 80, 443]
    content {
      label    = "allow-${inbound.value}"
      action   = "ACCEPT"
      protocol = "TCP"
      ports    = inbound.value
      ipv4     = ["0.0.0.0/0"]
      ipv6     = ["::/0"]
    }
  }
}

resource "linode_firewall_device" "vlan" {
  firewall_id = linode_firewall.web.id
  entity_id   = linode_instance.vlan.id
}
