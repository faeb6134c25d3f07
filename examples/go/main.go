// A small site with a node, two databases, DNS records and an image.
package main

import (
	"strings"

	"github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

const (
	region   = "us-east"
	siteName = "quickstart.example"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := node(ctx)
		if err != nil {
			return err
		}
		if err := databases(ctx, web); err != nil {
			return err
		}
		if err := domain(ctx, web); err != nil {
			return err
		}
		return image(ctx)
	})
}

// node declares a virtual machine and a snapshot of its disks.
func node(ctx *pulumi.Context) (*nodecloud.Node, error) {
	// Its label is "web" and a suffix derived from the stack. Its root password is generated.
	web, err := nodecloud.NewNode(ctx, "web", &nodecloud.NodeArgs{
		Region:         pulumi.String(region),
		Type:           pulumi.String("g6-nanode-1"),
		Image:          pulumi.String("node/debian12"),
		Tags:           pulumi.ToStringArray([]string{"quickstart"}),
		BackupsEnabled: pulumi.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	// A new value of a trigger takes a new snapshot.
	_, err = nodecloud.NewNodeBackupSnapshot(ctx, "first-day", &nodecloud.NodeBackupSnapshotArgs{
		NodeId:   web.ID(),
		Triggers: pulumi.Map{"release": pulumi.String("1")},
	})
	ctx.Export("nodeAddress", addressOf(web))
	return web, err
}

// addressOf is the public IPv4 address of a node.
func addressOf(web *nodecloud.Node) pulumi.StringOutput {
	return web.Ipv4.Index(pulumi.Int(0))
}

// databases declares two databases that accept connections only from the node.
func databases(ctx *pulumi.Context, web *nodecloud.Node) error {
	allowed := pulumi.StringArray{addressOf(web)}
	shop, err := nodecloud.NewMysqlDatabase(ctx, "shop", &nodecloud.MysqlDatabaseArgs{
		Region:    pulumi.String(region),
		Type:      pulumi.String("g6-nanode-1"),
		Engine:    pulumi.String("mysql/8.0.30"),
		AllowList: allowed,
	})
	if err != nil {
		return err
	}
	reports, err := nodecloud.NewPostgresqlDatabase(ctx, "reports", &nodecloud.PostgresqlDatabaseArgs{
		Region:    pulumi.String(region),
		Type:      pulumi.String("g6-nanode-1"),
		Engine:    pulumi.String("postgresql/14.6"),
		AllowList: allowed,
	})
	if err != nil {
		return err
	}
	ctx.Export("mysqlHost", shop.Hosts.Primary())
	// A secret: displayed as [secret], encrypted in the state.
	ctx.Export("mysqlPassword", shop.RootPassword)
	ctx.Export("postgresqlHost", reports.Hosts.Primary())
	return nil
}

// domain declares the site's domain and its records.
func domain(ctx *pulumi.Context, web *nodecloud.Node) error {
	zone, err := nodecloud.NewDomain(ctx, "zone", &nodecloud.DomainArgs{
		Domain:   pulumi.String(siteName),
		Type:     nodecloud.DomainTypeMaster,
		SoaEmail: pulumi.String("dns@" + siteName),
	})
	if err != nil {
		return err
	}
	addressV6 := web.Ipv6.ApplyT(func(withLength *string) string {
		if withLength == nil {
			return ""
		}
		address, _, _ := strings.Cut(*withLength, "/")
		return address
	}).(pulumi.StringOutput)

	records := []struct {
		name string
		args nodecloud.DomainRecordArgs
	}{
		{"www", nodecloud.DomainRecordArgs{
			Type:   nodecloud.DomainRecordTypeA,
			Name:   pulumi.String("www"),
			Target: addressOf(web),
			TtlSec: pulumi.Int(config.RequireInt(ctx, "ttl")),
		}},
		{"www-v6", nodecloud.DomainRecordArgs{
			Type:   nodecloud.DomainRecordTypeAAAA,
			Name:   pulumi.String("www"),
			Target: addressV6,
		}},
		{"mail", nodecloud.DomainRecordArgs{
			Type:     nodecloud.DomainRecordTypeMX,
			Target:   pulumi.String("www." + siteName),
			Priority: pulumi.Int(10),
		}},
		{"spf", nodecloud.DomainRecordArgs{
			Type:   nodecloud.DomainRecordTypeTXT,
			Target: pulumi.String("v=spf1 mx -all"),
		}},
	}
	for _, record := range records {
		record.args.DomainId = zone.ID()
		if _, err := nodecloud.NewDomainRecord(ctx, record.name, &record.args); err != nil {
			return err
		}
	}
	ctx.Export("site", pulumi.Sprintf("http://www.%s/", zone.Domain))
	return nil
}

// image declares a private image for further nodes. The path is relative to this folder.
func image(ctx *pulumi.Context) error {
	golden, err := nodecloud.NewImage(ctx, "golden", &nodecloud.ImageArgs{
		Source:      pulumi.NewFileAsset("disk.img"),
		Region:      pulumi.String(region),
		Description: pulumi.String("A stand-in for a disk image"),
	})
	if err != nil {
		return err
	}
	ctx.Export("imageId", golden.ID())
	return nil
}
