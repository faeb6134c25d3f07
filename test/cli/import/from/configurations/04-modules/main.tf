module "web" {
  source    = "./modules/instance"
  label     = "module-web"
  root_pass = var.root_pass
}

module "dns" {
  source = "./modules/dns"
  domain = "modules.example"
  ip     = module.web.ip_address
}
