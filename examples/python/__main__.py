"""A small site with a node, two databases, DNS records and an image."""

import pulumi
import pulumi_nodecloud as nodecloud

REGION = "us-east"
SITE_NAME = "quickstart.example"
ttl = pulumi.Config().require_int("ttl")

# A virtual machine. Its label is "web" and a suffix derived from the stack. Its root password is generated.
web = nodecloud.Node(
    "web",
    region=REGION,
    type="g6-nanode-1",
    image="node/debian12",
    tags=["quickstart"],
    backups_enabled=True,
)
address = web.ipv4.apply(lambda addresses: addresses[0] if addresses else "")
address_v6 = web.ipv6.apply(lambda with_length: (with_length or "").split("/")[0])

# A snapshot of its disks. A new value of a trigger takes a new snapshot.
nodecloud.NodeBackupSnapshot("first-day", node_id=web.id, triggers={"release": "1"})

# Two databases that accept connections only from the node.
shop = nodecloud.MysqlDatabase(
    "shop",
    region=REGION,
    type="g6-nanode-1",
    engine="mysql/8.0.30",
    allow_list=[address],
)
reports = nodecloud.PostgresqlDatabase(
    "reports",
    region=REGION,
    type="g6-nanode-1",
    engine="postgresql/14.6",
    allow_list=[address],
)

# The site's domain and its records.
zone = nodecloud.Domain(
    "zone",
    domain=SITE_NAME,
    type=nodecloud.DomainType.MASTER,
    soa_email=f"dns@{SITE_NAME}",
)
nodecloud.DomainRecord(
    "www",
    domain_id=zone.id,
    type=nodecloud.DomainRecordType.A,
    name="www",
    target=address,
    ttl_sec=ttl,
)
nodecloud.DomainRecord(
    "www-v6",
    domain_id=zone.id,
    type=nodecloud.DomainRecordType.AAAA,
    name="www",
    target=address_v6,
)
nodecloud.DomainRecord(
    "mail",
    domain_id=zone.id,
    type=nodecloud.DomainRecordType.MX,
    target=f"www.{SITE_NAME}",
    priority=10,
)
nodecloud.DomainRecord(
    "spf",
    domain_id=zone.id,
    type=nodecloud.DomainRecordType.TXT,
    target="v=spf1 mx -all",
)

# A private image for further nodes. The path is relative to this folder.
golden = nodecloud.Image(
    "golden",
    source=pulumi.FileAsset("disk.img"),
    region=REGION,
    description="A stand-in for a disk image",
)

pulumi.export("site", pulumi.Output.concat("http://www.", zone.domain, "/"))
pulumi.export("nodeAddress", address)
pulumi.export("mysqlHost", shop.hosts.primary)
# A secret: displayed as [secret], encrypted in the state.
pulumi.export("mysqlPassword", shop.root_password)
pulumi.export("postgresqlHost", reports.hosts.primary)
pulumi.export("imageId", golden.id)
