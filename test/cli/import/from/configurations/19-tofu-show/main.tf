variable "labels" {
  type      = map(string)
  sensitive = true
}

data "linode_profile" "me" {}

module "region" {
  source   = "./region"
  for_each = toset(["eu", "us"])
  name     = each.key
  label    = var.labels[each.key]
}
