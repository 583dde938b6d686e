"""What the pages say of build tools, runners and languages that not every machine has: Maven, Kotlin, Spring, Composer, Jest."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from documentation import blocks, file_name, page_blocks
from languages import JUNIT, LANGUAGES, install_go, install_java, install_node, javac, run, run_with_errors
from server import REPOSITORY, Mynah, binary, clean_environment

KNOWN = {language.name: language for language in LANGUAGES}
# Debian's, which has the plugins that a build without a network needs.
MAVEN_REPOSITORY = Path("/usr/share/maven-repo")
MAVEN_PLUGINS = MAVEN_REPOSITORY / "org" / "apache" / "maven" / "plugins"
SUREFIRE = MAVEN_PLUGINS / "maven-surefire-plugin"
# What `mvn install` and `mvn test` take, without a network of Debian's repository alone.
USED_PLUGINS = tuple(
    MAVEN_PLUGINS / f"maven-{name}-plugin" for name in ("compiler", "install", "jar", "resources", "surefire")
)


def recipe(
    language: str, *programs: str, files: tuple[Path, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Marks a test of a language that needs further programs and files; it has a worker apart from the language's."""
    wanted = [*KNOWN[language].missing, *(one for one in programs if shutil.which(one) is None)]
    missing = [*wanted, *(str(file) for file in files if not file.exists())]

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        skip = pytest.mark.skipif(bool(missing), reason=f"without {', '.join(missing)}")
        return pytest.mark.xdist_group(f"{language} recipes")(skip(test))

    return mark


def page_file(page: str, name: str) -> str:
    """A file that a page shows."""
    [text] = [block.text for block in page_blocks(page) if file_name(block.text) == name]
    return text


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>news</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    {dependency}
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>{junit}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>{surefire}</version></plugin></plugins>
  </build>
</project>
"""


def version_in(folder: Path) -> str:
    """The newest version of what is in a folder of Debian's Maven repository."""
    return max(one.name for one in folder.iterdir() if one.name[0].isdecimal())


# Programs that run once are not worth what makes long ones fast.
SHORT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@recipe("java", "mvn", files=USED_PLUGINS)
def test_maven_installs_the_package_and_runs_the_tests_of_the_page(tmp_path: Path) -> None:
    repository, sources, project = tmp_path / "repository", tmp_path / "java", tmp_path / "project"
    shutil.copytree(REPOSITORY / "Sources" / "java", sources)
    run("cp", "-rs", f"{MAVEN_REPOSITORY}/.", str(repository), cwd=tmp_path)
    maven = ("mvn", "--offline", "--batch-mode", "--no-transfer-progress", f"-Dmaven.repo.local={repository}")
    run(*maven, "--quiet", "install", cwd=sources, MAVEN_OPTS=SHORT)
    page = "TestAProviderInJava"
    for folder, name in (("main", "Provider.java"), ("test", "NewsTest.java")):
        file = project / "src" / folder / "java" / name
        file.parent.mkdir(parents=True)
        file.write_text(page_file(page, name))
    junit = version_in(MAVEN_REPOSITORY / "org" / "junit" / "jupiter" / "junit-jupiter")
    [dependency] = blocks(page, "xml")
    (project / "pom.xml").write_text(POM.format(dependency=dependency, junit=junit, surefire=version_in(SUREFIRE)))
    told = run(*maven, "test", cwd=project, MAVEN_OPTS=SHORT, MYNAH_BINARY=str(binary()))
    assert "Tests run: 9, Failures: 0, Errors: 0, Skipped: 0" in told, told


@recipe("java", "kotlinc")
def test_kotlin_s_recipe_compiles_and_runs(tmp_path: Path) -> None:
    install_java(tmp_path)
    page = "TestAProviderInJava"
    (tmp_path / "Provider.java").write_text(page_file(page, "Provider.java"))
    [text] = blocks(page, "kotlin")
    (tmp_path / "NewsTest.kt").write_text(text)
    javac(tmp_path, "-d", "classes", "Provider.java")
    run("kotlinc", "-nowarn", "-cp", f"lib/mynah.jar:lib/{JUNIT[0].name}:lib/apiguardian-api.jar:classes", "-d", "classes",
        "NewsTest.kt", cwd=tmp_path, JAVA_OPTS=SHORT)  # fmt: skip
    library = Path(shutil.which("kotlinc") or "").resolve().parent.parent / "lib"
    runtime = [*library.glob("kotlin-stdlib.jar"), *Path("/usr/share/java").glob("kotlin-stdlib.jar")]
    told = run(
        "java", *SHORT.split(), "-cp", f"classes:lib/*:{runtime[0]}", "org.junit.platform.console.ConsoleLauncher", "--scan-classpath",
        "classes", "--disable-banner", cwd=tmp_path, MYNAH_BINARY=str(binary()),
    )  # fmt: skip
    assert re.search(r"1 tests successful", told) and re.search(r"0 tests failed", told), told


def stand_ins(folder: Path, classes: dict[str, str]) -> list[str]:
    """Classes of a library that isn't there, by their names: the files."""
    for name, declaration in classes.items():
        file = folder / f"{name}.java"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"package {file.parent.relative_to(folder).as_posix().replace('/', '.')};\n{declaration}\n")
    return [f"{name}.java" for name in classes]


# As Spring Boot declares what the recipe uses; Debian has none.
SPRING = {
    "org/springframework/boot/test/context/SpringBootTest": "public @interface SpringBootTest {}",
    "org/springframework/beans/factory/annotation/Autowired": "public @interface Autowired {}",
    "org/springframework/test/context/DynamicPropertySource": "public @interface DynamicPropertySource {}",
    "org/springframework/test/context/DynamicPropertyRegistry": (
        "public interface DynamicPropertyRegistry {"
        " void add(String name, java.util.function.Supplier<Object> valueSupplier); }"
    ),
}


@recipe("java")
def test_spring_s_recipe_compiles(tmp_path: Path) -> None:
    install_java(tmp_path)
    [text] = [one for one in blocks("TestInSpringBoot", "java") if "@SpringBootTest" in one]
    (tmp_path / "NewsServiceTest.java").write_text(text)
    (tmp_path / "NewsService.java").write_text("interface NewsService { int send(String token, String title) throws Exception; }\n")
    files = ["NewsServiceTest.java", "NewsService.java", *stand_ins(tmp_path, SPRING)]
    javac(tmp_path, "-cp", "lib/*", "-d", "classes", *files)


def ports(server: Mynah) -> dict[str, str]:
    """The variables by which a stand-in of Testcontainers finds a server that runs already."""
    return {"PORT_2197": str(server.port), "PORT_8197": str(server.control_port)}


# As far as the recipes use it: a container is a server that runs already.
CONTAINERS = {
    "org/testcontainers/utility/DockerImageName": """public class DockerImageName {
        public static DockerImageName parse(String image) { return new DockerImageName(); } }""",
    "org/testcontainers/containers/wait/strategy/Wait": """public class Wait {
        public static Wait forHttp(String path) { return new Wait(); }
        public Wait forPort(int port) { return this; }
        public Wait withStartupTimeout(java.time.Duration time) { return this; } }""",
    "org/testcontainers/containers/GenericContainer": """import org.testcontainers.containers.wait.strategy.Wait;
        public class GenericContainer<T> implements AutoCloseable {
        public GenericContainer(org.testcontainers.utility.DockerImageName image) {}
        public T withExposedPorts(Integer... ports) { return null; }
        public T waitingFor(Wait wait) { return null; }
        public String getHost() { return "localhost"; }
        public Integer getMappedPort(int port) { return Integer.valueOf(System.getenv("PORT_" + port)); }
        public void close() {} }""",
}
CONTAINER_TEST = """
import mynah.*;
class ContainerTest {
    public static void main(String[] arguments) {
        try (MynahContainer container = new MynahContainer("mynah"); MynahServer server = container.server();
             Mynah mynah = server.openScope("news")) {
            Device phone = mynah.device("com.example.app");
            mynah.send(it -> it.token(phone.token()).topic("com.example.app").payload(java.util.Map.of()));
            mynah.expect(it -> it.device(phone.id()));
            System.out.println(server.host() + " " + server.port());
        }
    }
}
"""


@recipe("java")
def test_the_recipe_for_testcontainers_connects_in_java(tmp_path: Path, server: Mynah) -> None:
    install_java(tmp_path)
    shutil.copy(REPOSITORY / "docker" / "testcontainers" / "MynahContainer.java", tmp_path)
    (tmp_path / "ContainerTest.java").write_text(CONTAINER_TEST)
    files = ["MynahContainer.java", "ContainerTest.java", *stand_ins(tmp_path, CONTAINERS)]
    run("javac", "-J-XX:TieredStopAtLevel=1", "-cp", "lib/*", "-d", "classes", *files, cwd=tmp_path)
    told = run("java", *SHORT.split(), "-cp", "classes:lib/*", "ContainerTest", cwd=tmp_path, **ports(server))
    assert told == f"localhost {server.port}\n"


GO_CONTAINERS = {
    "go.mod": "module github.com/testcontainers/testcontainers-go\n\ngo 1.21\n",
    "wait/wait.go": """package wait

import "time"

type Strategy struct {
	Path, Port string
	Timeout    time.Duration
}

func ForHTTP(path string) *Strategy                            { return &Strategy{Path: path} }
func (s *Strategy) WithPort(port string) *Strategy              { s.Port = port; return s }
func (s *Strategy) WithStartupTimeout(t time.Duration) *Strategy { s.Timeout = t; return s }
""",
    "testcontainers.go": """package testcontainers

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/testcontainers/testcontainers-go/wait"
)

type ContainerCustomizer func() string

type Container interface {
	PortEndpoint(ctx context.Context, port, scheme string) (string, error)
}

type running struct{}

func (running) PortEndpoint(_ context.Context, port, scheme string) (string, error) {
	return scheme + "://localhost:" + os.Getenv("PORT_"+strings.TrimSuffix(port, "/tcp")), nil
}

func WithExposedPorts(ports ...string) ContainerCustomizer {
	return func() string { return strings.Join(ports, " ") }
}

func WithWaitStrategy(s *wait.Strategy) ContainerCustomizer {
	return func() string { return fmt.Sprint(s.Path, " ", s.Port, " ", s.Timeout) }
}

func Run(_ context.Context, image string, options ...ContainerCustomizer) (Container, error) {
	fmt.Println(image)
	for _, option := range options {
		fmt.Println(option())
	}
	return running{}, nil
}
""",
}
GO_CONTAINER_TEST = """package main

import (
	"context"
	"fmt"

	"example.com/provider/mynahcontainer"
	mynah "github.com/OWNER/mynah/Sources/go"
)

func main() {
	ctx := context.Background()
	_, server, err := mynahcontainer.Run(ctx, "mynah")
	if err != nil {
		panic(err)
	}
	scope := server.Scope("news")
	defer scope.Remove(ctx)
	phone, err := scope.Device(ctx, "com.example.app")
	if err != nil {
		panic(err)
	}
	token, err := phone.Token()
	if err != nil {
		panic(err)
	}
	if _, err := scope.Send(ctx, mynah.PushSettings{Token: mynah.Set(token), Topic: mynah.Set("com.example.app")}); err != nil {
		panic(err)
	}
	if _, err := scope.Expect(ctx, mynah.Expectation{Device: phone.ID}); err != nil {
		panic(err)
	}
	fmt.Println(server.Host(), server.Port())
}
"""


@recipe("go")
def test_the_recipe_for_testcontainers_connects_in_go(tmp_path: Path, server: Mynah) -> None:
    install_go(tmp_path)
    for name, text in GO_CONTAINERS.items():
        file = tmp_path / "testcontainers" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "mynahcontainer").mkdir()
    shutil.copy(REPOSITORY / "docker" / "testcontainers" / "mynah.go", tmp_path / "mynahcontainer")
    (tmp_path / "main.go").write_text(GO_CONTAINER_TEST)
    library = "github.com/testcontainers/testcontainers-go"
    run("go", "mod", "edit", f"-replace={library}=./testcontainers", f"-require={library}@v0.38.0", cwd=tmp_path)
    told = run("go", "run", ".", cwd=tmp_path, GOPROXY="off", GOFLAGS="-mod=mod", **ports(server))
    assert told == f"mynah\n2197/tcp 8197/tcp\n/readyz 8197/tcp 30s\nlocalhost {server.port}\n"


RUBY_CONTAINERS = """
module Testcontainers
  class DockerContainer
    def initialize(image) = @told = { image: image }
    def add_exposed_ports(*ports) = @told[:ports] = ports
    def add_wait_for(method, **options) = @told[:wait] = { for: method, **options }
    def host = "localhost"
    def mapped_port(port) = Integer(ENV.fetch("PORT_#{port}"))

    def use
      warn JSON.generate(@told)
      yield self
    end
  end
end
"""
RUBY_CONTAINER_TEST = """
require_relative "mynah_container"
MynahContainer.new("mynah").use do |container|
  server = container.server
  mynah = server.scope("news")
  phone = mynah.device("com.example.app")
  mynah.send(token: phone.token, topic: "com.example.app", payload: {})
  mynah.expect(device: phone.id)
  mynah.remove
  puts "#{server.host} #{server.port}"
end
"""


@recipe("ruby")
def test_the_recipe_for_testcontainers_connects_in_ruby(tmp_path: Path, server: Mynah) -> None:
    shutil.copy(REPOSITORY / "docker" / "testcontainers" / "mynah_container.rb", tmp_path)
    (tmp_path / "testcontainers.rb").write_text(RUBY_CONTAINERS)
    (tmp_path / "test.rb").write_text(RUBY_CONTAINER_TEST)
    library = REPOSITORY / "Sources" / "ruby" / "lib"
    told, said = run_with_errors("ruby", "-w", "-I", str(library), "-I", ".", "test.rb", cwd=tmp_path, **ports(server))
    assert told == f"localhost {server.port}\n"
    assert json.loads(said) == {
        "image": "mynah", "ports": [2197, 8197],
        "wait": {"for": "http", "path": "/readyz", "container_port": 8197, "timeout": 30},
    }  # fmt: skip


PHP_CONTAINERS = r"""<?php
namespace Testcontainers\Wait;
class WaitForHttp {
    public array $told;
    public function __construct(int $port) { $this->told = ['port' => $port]; }
    public function withPath(string $path): self { $this->told['path'] = $path; return $this; }
    public function withExpectedStatusCode(int $code): self { $this->told['status'] = $code; return $this; }
}
namespace Testcontainers\Container;
class StartedGenericContainer {
    public function getHost(): string { return 'localhost'; }
    public function getMappedPort(int $port): int { return (int) getenv("PORT_$port"); }
    public function stop(): void { fwrite(STDERR, "stopped\n"); }
}
class GenericContainer {
    private array $told;
    public function __construct(string $image) { $this->told = ['image' => $image]; }
    public function withExposedPorts(int ...$ports): self { $this->told['ports'] = $ports; return $this; }
    public function withEnvironment(array $environment): self { $this->told['environment'] = $environment; return $this; }
    public function withWait(\Testcontainers\Wait\WaitForHttp $wait): self { $this->told['wait'] = $wait->told; return $this; }
    public function start(): StartedGenericContainer {
        fwrite(STDERR, json_encode($this->told) . "\n");
        return new StartedGenericContainer();
    }
}
"""
PHP_CONTAINER_TEST = """<?php
require getenv('PACKAGE') . '/autoload.php';
require 'Testcontainers.php';
require 'MynahContainer.php';
$container = MynahContainer::start('mynah', ['MYNAH_SEED' => '42']);
$server = $container->server();
$mynah = $server->scope('news');
$phone = $mynah->device('com.example.app');
$mynah->send(token: $phone->token(), topic: 'com.example.app', payload: new stdClass());
$mynah->expect(device: $phone->id);
$mynah->remove();
echo $server->host, ' ', $server->port;
$container->stop();
"""


@recipe("php")
def test_the_recipe_for_testcontainers_connects_in_php(tmp_path: Path, server: Mynah) -> None:
    shutil.copy(REPOSITORY / "docker" / "testcontainers" / "MynahContainer.php", tmp_path)
    (tmp_path / "Testcontainers.php").write_text(PHP_CONTAINERS)
    (tmp_path / "test.php").write_text(PHP_CONTAINER_TEST)
    package = {"PACKAGE": str(REPOSITORY / "Sources" / "php")}
    told, said = run_with_errors("php", "test.php", cwd=tmp_path, **ports(server), **package)
    assert told == f"localhost {server.port}"
    started, stopped = said.splitlines()
    assert json.loads(started) == {
        "image": "mynah", "ports": [2197, 8197], "environment": {"MYNAH_SEED": "42"},
        "wait": {"port": 8197, "path": "/readyz", "status": 200},
    }  # fmt: skip
    assert stopped == "stopped"


@recipe("php", "composer")
def test_composer_installs_the_package_from_its_folder(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "Sources" / "php", tmp_path / "mynah" / "Sources" / "php")
    project = tmp_path / "project"
    project.mkdir()
    variables = {
        "COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_DISABLE_NETWORK": "1", "COMPOSER_HOME": str(tmp_path / "home"),
        "COMPOSER_NO_INTERACTION": "1",
    }  # fmt: skip
    (project / "composer.json").write_text('{"repositories": {"packagist.org": false}}\n')
    # The page's own commands.
    commands = [one for one in blocks("TestAProviderInPHP", "sh") if one.startswith("composer")]
    run("bash", "-euc", commands[0], cwd=project, **variables)
    program = "require 'vendor/autoload.php'; echo Mynah\\Mynah::startServer()->status()->name;"
    assert run("php", "-r", program, cwd=project, MYNAH_BINARY=str(binary())) == "mynah"


@pytest.mark.parametrize("has_setup", [False, True])
@recipe("node", "jest")
def test_jest_s_recipe_runs(has_setup: bool, tmp_path: Path) -> None:
    if subprocess.run(["jest", "--version"], capture_output=True, check=False).returncode != 0:
        pytest.skip("without Debian's own Node, which its jest needs")
    install_node(tmp_path)
    (tmp_path / "news.test.cjs").write_text(page_file("UseTheNodePackage", "news.jest.cjs"))
    settings = '{"testMatch": ["**/*.test.cjs"]%s}'
    setup = ', "globalSetup": "mynah/global-setup", "globalTeardown": "mynah/global-teardown"'
    (tmp_path / "jest.config.json").write_text(settings % (setup if has_setup else ""))
    done = subprocess.run(
        ["jest", "--ci"], cwd=tmp_path, env=clean_environment(MYNAH_BINARY=str(binary())), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "1 passed" in done.stderr, done
