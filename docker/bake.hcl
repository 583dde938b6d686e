# The image for both architectures: docker buildx bake -f docker/bake.hcl
variable "IMAGE" {
  default = "mynah"
}

# A tag of the repository, such as v0.1.0.
variable "VERSION" {
  default = "v0.1.0"
}

variable "REVISION" {
  default = ""
}

group "default" {
  targets = ["mynah"]
}

target "mynah" {
  context    = "."
  dockerfile = "docker/Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${IMAGE}:${trimprefix(VERSION, "v")}", "${IMAGE}:latest"]
  args = {
    VERSION  = trimprefix(VERSION, "v")
    REVISION = REVISION
    CREATED  = timestamp()
  }
}
