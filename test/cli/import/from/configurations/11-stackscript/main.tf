data "linode_profile" "me" {}

resource "linode_sshkey" "ops" {
  label   = "ops"
  ssh_key = chomp(file("~/.ssh/id_ed25519.pub"))
}

resource "linode_stackscript" "setup" {
  label  = "setup"
  images = ["linode/debian12"]
  script = file("setup.sh")
}

resource "linode_instance" "wordpress" {
  label            = "wordpress"
  group            = "blogs"
  image            = "linode/debian12"
  region           = "us-east"
  type             = "g6-nanode-1"
  authorized_keys  = [linode_sshkey.ops.ssh_key]
  authorized_users = [data.linode_profile.me.username]
  stackscript_id   = linode_stackscript.setup.id
  stackscript_data = { hostname = "wordpress", db_password = var.db_password }
  swap_size        = 1024
  watchdog_enabled = false
  root_pass        = var.root_pass
}
