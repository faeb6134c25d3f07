resource "random_password" "root" {
  length = 32
}

resource "linode_lke_cluster" "k8s" {
  label       = "k8s"
  region      = "us-east"
  k8s_version = "1.31"
  pool {
    type  = "g6-standard-2"
    count = 3
  }
}

resource "linode_object_storage_bucket" "assets" {
  label  = "assets"
  region = "us-east"
}

resource "linode_instance" "bastion" {
  label     = "bastion"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = random_password.root.result
}

resource "null_resource" "provision" {
  provisioner "remote-exec" {
    inline = ["apt-get update"]
    connection { host = linode_instance.bastion.ip_address }
  }
}

resource "cloudflare_record" "www" {
  zone_id = var.zone_id
  name    = "www"
  type    = "A"
  content = linode_instance.bastion.ip_address
}
