module mynah.test/mynah

go 1.21
