// Pulumi provider for the node cloud API: nodes, backups, MySQL and PostgreSQL databases, DNS domains and records, images.
package nodecloud
