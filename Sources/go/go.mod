module github.com/OWNER/mynah/Sources/go

go 1.21
