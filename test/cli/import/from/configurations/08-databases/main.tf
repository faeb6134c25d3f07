resource "linode_instance" "app" {
  label     = "db-app"
  image     = "linode/debian12"
  region    = "us-east"
  type      = "g6-nanode-1"
  root_pass = var.root_pass
}

resource "linode_database_mysql_v2" "shop" {
  label      = "shop"
  engine_id  = "mysql/8.0.30"
  region     = "us-east"
  type       = "g6-standard-1"
  allow_list = [linode_instance.app.ip_address, "10.0.0.0/8"]
}

resource "linode_database_postgresql_v2" "reports" {
  label     = "reports"
  engine_id = "postgresql/14.6"
  region    = "us-east"
  type      = "g6-standard-1"
}

resource "linode_database_access_controls" "reports" {
  database_id   = linode_database_postgresql_v2.reports.id
  database_type = "postgresql"
  allow_list    = ["10.0.0.0/8"]
}

resource "linode_domain" "main" {
  type      = "master"
  domain    = "db.example"
  soa_email = "dns@example.org"
}

resource "linode_domain_record" "db" {
  domain_id   = linode_domain.main.id
  name        = "db"
  record_type = "CNAME"
  target      = linode_database_mysql_v2.shop.host_primary
}
