#!/bin/sh
# install -m 755 dist/machines/{{identifier}} /usr/local/sbin/{{identifier}}
# Runs leads, keys or doctor with the settings, the credentials, the user and the folder of {{identifier}}.service: sudo {{identifier}} leads list
# A relative path is below /var/lib/{{identifier}}, the only folder that it may write.

set -euf
case ${1-} in
leads | keys | doctor) program=$1 ;;
*)
	echo 'Usage: sudo {{identifier}} leads|keys|doctor ARGUMENTS' >&2
	exit 2
	;;
esac
shift
unit={{identifier}}-command-$$
# From the unit, with what `systemctl edit` has added. systemd-run does not know %d.
properties=$(systemctl cat {{identifier}}.service | sed -nE "s|%d|/run/credentials/$unit.service|
	s/^(Environment|EnvironmentFile|SetCredential|LoadCredential|DynamicUser|User|StateDirectory|StateDirectoryMode|WorkingDirectory|UMask)=/--property=&/p")
# Each line is one argument.
IFS='
'
exec systemd-run --quiet --wait --collect --pty --pipe --unit="$unit" --property=User={{identifier}} $properties \
	/usr/bin/node "/opt/{{identifier}}/dist/server/$program.mjs" "$@"
