import {
  to = linode_instance.old
  id = "48211007"
}

import {
  to = linode_domain_record.mx
  id = "2310403,31772005"
}

resource "linode_instance" "old" {
  label             = "Old_Server.1"
  region            = "us-east"
  type              = "g6-nanode-1"
  boot_config_label = "My Debian 12 Disk Profile"

  disk {
    label = "Debian 12 Disk"
    size  = 25088
  }

  config {
    label       = "My Debian 12 Disk Profile"
    kernel      = "linode/grub2"
    root_device = "/dev/sda"
    devices {
      sda { disk_label = "Debian 12 Disk" }
    }
  }
}

resource "linode_domain" "old" {
  type      = "master"
  domain    = "imported.example"
  group     = "old"
  soa_email = "dns@example.org"
}

resource "linode_domain_record" "mx" {
  domain_id   = 2310403
  record_type = "MX"
  target      = "mx.example.net"
  priority    = 20
}

resource "linode_image" "old" {
  label = "imported-image"
}
