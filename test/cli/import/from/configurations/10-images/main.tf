resource "linode_instance" "builder" {
  label     = "image-builder"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass
}

resource "linode_image" "golden" {
  label       = "golden"
  description = "Built by CI"
  disk_id     = linode_instance.builder.disk[0].id
  linode_id   = linode_instance.builder.id
  tags        = ["ci"]
}

resource "linode_image" "uploaded" {
  label     = "uploaded"
  region    = "us-east"
  file_path = "build/disk.img.gz"
  file_hash = filemd5("build/disk.img.gz")
}

resource "linode_instance" "web" {
  label           = "from-golden"
  image           = linode_image.golden.id
  region          = "us-east"
  type            = "g6-nanode-1"
  backups_enabled = true
  root_pass       = var.root_pass
}
