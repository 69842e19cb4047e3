{
  description = "banto: a kanban board whose cards run coding agents in real terminals";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      lib = nixpkgs.lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      eachSystem = make: lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = lib.importJSON ./package.json;

      # The bun that package.json names, from the package npm has for each platform.
      bunVersion = lib.removePrefix "bun@" manifest.packageManager;
      bunBuilds = {
        x86_64-linux = {
          name = "linux-x64";
          hash = "sha512-CHbbkmHVM28T1GFq+6GL4Ao4ujwwYwj1CxFFwEFzLanPfNsId9AhbIP0Q4reWuWBkGimUkoQygrK7Rgjtj3vog==";
        };
        aarch64-linux = {
          name = "linux-aarch64";
          hash = "sha512-ZTVtpf9zmHSBVPX1sBwe5agGb/rN34yPGg/Hby8e2Ax2uCUA2URZKlZH7qLntK7qaFJCMXh9v0GWNYN2zINz1w==";
        };
      };
      bun =
        pkgs:
        let
          build = bunBuilds.${pkgs.stdenv.hostPlatform.system};
        in
        pkgs.stdenvNoCC.mkDerivation {
          pname = "bun";
          version = bunVersion;
          src = pkgs.fetchurl {
            url = "mirror://npm/@oven/bun-${build.name}/-/bun-${build.name}-${bunVersion}.tgz";
            inherit (build) hash;
          };
          nativeBuildInputs = [ pkgs.autoPatchelfHook ];
          dontConfigure = true;
          dontBuild = true;
          dontStrip = true; # the program carries its own sources at its end
          installPhase = ''
            install -Dm755 bin/bun $out/bin/bun
            ln -s bun $out/bin/bunx
          '';
        };
      tools = pkgs: [
        (bun pkgs)
        pkgs.git
      ];

      # Runs from a writable copy, because bin/banto installs packages and builds the page beside its sources.
      banto =
        pkgs:
        pkgs.writeShellApplication {
          name = "banto";
          runtimeInputs = tools pkgs ++ [ pkgs.coreutils ];
          text = ''
            src=${self}
            home=''${XDG_CACHE_HOME:-~/.cache}/banto/''${src##*/}
            if [ ! -e "$home" ]; then
              mkdir -p "''${home%/*}"
              new=$(mktemp -d "$home.XXXXXX")
              cp -r "$src/." "$new"
              chmod -R u+w "$new"
              mv -T "$new" "$home" || rm -rf "$new" # another start was faster
            fi
            exec "$home/bin/banto" "$@"
          '';
        };
    in
    {
      packages = eachSystem (pkgs: {
        default = banto pkgs;
      });

      apps = eachSystem (pkgs: {
        default = {
          type = "app";
          program = lib.getExe (banto pkgs);
        };
      });

      devShells = eachSystem (pkgs: {
        default = pkgs.mkShell {
          packages = tools pkgs ++ [
            pkgs.chromium
            pkgs.fzf
            pkgs.htop
            pkgs.less
            pkgs.tmux
            pkgs.vim
          ];
        };
      });

      formatter = eachSystem (pkgs: pkgs.nixfmt-rfc-style);
    };
}
