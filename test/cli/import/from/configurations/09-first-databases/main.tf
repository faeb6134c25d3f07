resource "linode_database_mysql" "legacy" {
  label            = "legacy"
  engine_id        = "mysql/8.0.30"
  region           = "us-east"
  type             = "g6-standard-1"
  cluster_size     = 3
  replication_type = "asynch"
  encrypted        = true

  updates {
    day_of_week   = "saturday"
    duration      = 1
    frequency     = "monthly"
    hour_of_day   = 22
    week_of_month = 2
  }
}

resource "linode_database_postgresql" "pg" {
  label     = "pg-legacy"
  engine_id = "postgresql/13.2"
  region    = "us-east"
  type      = "g6-standard-1"
}

resource "linode_domain" "copy" {
  type       = "slave"
  domain     = "copy.example"
  master_ips = ["192.0.2.53", "2001:db8::53"]
}
