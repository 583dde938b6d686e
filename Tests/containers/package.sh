package() { :; }
