module "platform" {
  source = "./platform"
  domain = "nested.example"
  size   = 2
}

resource "linode_instance" "bastion" {
  label     = "nested-bastion"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass
}

# platform/main.tf
resource "linode_instance" "vpn" {
  label     = "nested-vpn"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass
}

module "peers" {
  source    = "../peers"
  for_each  = { x = ["1", "2"], y = ["1"] }
  names     = each.value
  domain_id = module.dns.id
  ip        = linode_instance.vpn.ip_address
}

module "deep" {
  source     = "../deep"
  depends_on = [linode_instance.vpn]
}

module "compute" {
  source = "../compute"
  count  = var.size
  label  = "nested-${count.index}"
}

module "dns" {
  source  = "../dns"
  domain  = var.domain
  records = { for i, vm in module.compute : "vm${i}" => vm.ip_address }
}
