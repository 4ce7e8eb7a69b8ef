"""The Kubernetes manifests: valid, true to the service, and no wider than the compose file."""

from __future__ import annotations

import subprocess

import kubernetes_validate
import pytest
import yaml
from typer.testing import CliRunner

from sankofa.surfaces.cli import app
from sankofa.surfaces.command_settings import is_required, settings_of
from sankofa.surfaces.server import FINISH_SECONDS
from sankofa.surfaces.settings import Settings
from support.containers import compose, secrets_given
from support.manifests import FOLDER, documents, environment, manifests, of_kind, own_pods, pods, secrets
from support.repository import ROOT

pytestmark = pytest.mark.proves("OPS-34")
VERSIONS = ("1.31", "1.37")  # the oldest and the newest that are validated
# Kinds of operators: no schema of them comes with Kubernetes.
FOREIGN = {"Cluster", "PodMonitor"}
# Which commands a pod runs, where these are not its arguments.
DUTIES = {"fetcher": ["feeds", "tidy", "work"], "publisher": ["publish", "work"]}
DUTIES["leaks"] = ["keys leaked"]
DUTIES["keys"] = ["keys", "keys leaked", "keys networks"]
DUTIES["operator"] = ["verify", "takedown", "held", "migrate", "audit", "editions", "merge", "organisations"]
# The service of the compose file that has the same secrets; a job has those of its one command.
TWINS = {name: name for name in ("api", "follower", "fetcher", "publisher", "exporter", "verifier", "keys")}
TWINS |= {name: name for name in ("leaks", "operator")} | {"bootstrap": "admin"}


def arguments(pod):
    return pod["spec"]["containers"][0].get("args", [])


def duties(name):
    return DUTIES.get(name) or arguments(own_pods()[name])[:1]


def option(words, name):
    return int(words[words.index(name) + 1])


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_valid_in_the_strict_schema_of_kubernetes(version):
    for file, one in manifests():
        if one["kind"] not in FOREIGN:
            try:
                kubernetes_validate.validate(one, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                pytest.fail(f"{file}, {one['kind']}: {error.message}")


def test_the_kustomization_lists_every_file_and_the_image_of_the_compose_file():
    ((_, listed),) = documents("kustomization.yaml")
    assert set(listed["resources"]) == {file.name for file in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    (image,) = listed["images"]
    named = f"{image['name']}:{image['newTag']}"
    assert compose()["services"]["api"]["image"].replace("${SANKOFA_VERSION:-", "").rstrip("}") == named
    assert {pod["spec"]["containers"][0]["image"] for pod in own_pods().values()} == {named}


def test_every_pod_is_confined():
    assert len(pods()) == len(own_pods()) + 2
    for name, pod in pods().items():
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["securityContext"]["runAsUser"] > 0, name
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert spec["automountServiceAccountToken"] is False, name
        # Or Kubernetes would add variables named after services.
        assert spec["enableServiceLinks"] is False, name
        for container in spec["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
            assert container["resources"]["limits"].keys() == {"cpu", "memory"}, name
    user = own_pods()["api"]["spec"]["securityContext"]
    assert f"USER {user['runAsUser']}:{user['runAsGroup']}\n" in (ROOT / "deploy" / "Dockerfile").read_text()


@pytest.mark.parametrize("name", [*TWINS, "migrate"])
def test_a_pod_has_the_settings_of_its_duty_and_no_secret_more(name):
    pod = own_pods()[name]
    if name in TWINS:
        assert secrets(pod) == secrets_given(compose()["services"][TWINS[name]])
    used = {setting for command in duties(name) for setting in settings_of(command)}
    variables = {variable.removeprefix("SANKOFA_").lower() for variable in environment(pod)}
    assert variables <= set(Settings.model_fields)
    given = variables | {path.removeprefix("sankofa_") for path in secrets(pod)}
    assert given <= used
    if "work" not in duties(name):  # its other duties need more
        assert {setting for setting in used if is_required(setting)} <= given
    Settings(
        **{variable.removeprefix("SANKOFA_").lower(): text for variable, text in environment(pod).items()}
    )


def test_all_pods_of_ours_are_looked_at():
    assert set(own_pods()) == {*TWINS, "migrate"}


def test_every_secret_is_made_by_make_secrets(tmp_path):
    subprocess.run([ROOT / "deploy" / "make-secrets", tmp_path / "secrets"], check=True, capture_output=True)
    made = {file.name for file in (tmp_path / "secrets").iterdir()}
    used = {key for pod in pods().values() for key in secrets(pod).values()}
    assert used
    assert used <= made
    whole = {volume["secret"]["secretName"] for pod in pods().values()
             for volume in pod["spec"]["volumes"] if "secret" in volume}  # fmt: skip
    assert whole == {"sankofa"}
    assert "Secret" not in {one["kind"] for _, one in manifests()}


@pytest.mark.parametrize("name", [name for name in own_pods() if arguments(own_pods()[name])])
def test_every_command_is_accepted_by_the_command_line(name):
    """Without settings, a command that is accepted ends with status 1, and a mistyped one with 2."""
    ended = CliRunner().invoke(app, arguments(own_pods()[name]), env={"SANKOFA_SECRETS_FOLDER": "/nowhere"})
    assert ended.exit_code == 1, ended.output
    assert "SANKOFA_" in ended.output


def test_the_api_is_probed_stopped_and_counted_as_it_serves(service):
    pod = own_pods()["api"]
    (container,) = pod["spec"]["containers"]
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    words = arguments(pod)
    assert option(words, "--port") == ports["http"]
    assert environment(pod)["SANKOFA_METRICS"].endswith(f":{ports['metrics']}")
    probes = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")}
    assert {each["port"] for each in probes.values()} == {"http"}
    # Kubernetes asks by the address of the pod. Nothing is published, so the pod lives and is not ready.
    host = {"Host": f"10.244.1.7:{ports['http']}"}
    found = {
        kind: service.client.get(each["path"], headers=host).status_code for kind, each in probes.items()
    }
    assert found == {"startup": 200, "readiness": 503, "liveness": 200}
    replicas = of_kind("Deployment")["api"]["spec"]["replicas"]
    assert replicas >= 2
    assert int(environment(pod)["SANKOFA_PROCESSES"]) == replicas * option(words, "--workers")
    drain = option(words, "--drain-seconds")
    assert (
        drain > container["readinessProbe"]["periodSeconds"] * container["readinessProbe"]["failureThreshold"]
    )
    assert pod["spec"]["terminationGracePeriodSeconds"] >= drain + FINISH_SECONDS + 5


def test_only_the_fetcher_reaches_the_outside_and_only_the_api_is_served():
    policies = of_kind("NetworkPolicy")
    everything = policies["refuse-all"]["spec"]
    assert everything == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    ways_out = {name: one["spec"].get("egress", ()) for name, one in policies.items()}
    outside = {name for name, rules in ways_out.items()
               if any("ipBlock" in str(rule) or "to" not in rule for rule in rules)}  # fmt: skip
    assert outside == {"fetch", "postgres-operator"}
    assert policies["fetch"]["spec"]["podSelector"]["matchLabels"]["app.kubernetes.io/component"] == "fetcher"
    named = {str(rule["port"]): one["spec"]["podSelector"]["matchLabels"] for one in policies.values()
             for rules in one["spec"].get("ingress", ()) for rule in rules.get("ports", ())}  # fmt: skip
    assert named["http"] == of_kind("Deployment")["api"]["spec"]["selector"]["matchLabels"]


def test_every_selector_finds_the_pods_it_is_for():
    labels = [pod["metadata"]["labels"] for pod in pods().values()]
    for kind in ("Service", "PodDisruptionBudget", "Deployment", "StatefulSet"):
        for name, one in of_kind(kind).items():
            selector = one["spec"].get("selector", {})
            wanted = selector.get("matchLabels", selector)
            if one["spec"].get("type") != "ExternalName":
                assert [each for each in labels if wanted.items() <= each.items()], (kind, name)


def test_pods_have_the_jobs_that_alerts_name():
    config = yaml.safe_load((ROOT / "deploy" / "monitoring" / "prometheus.yaml").read_text(encoding="utf-8"))
    labels = [pod["metadata"]["labels"] for pod in own_pods().values()]
    jobs = {each["prometheus-job"] for each in labels if "prometheus-job" in each}
    assert jobs == {each["job_name"] for each in config["scrape_configs"]}
    assert of_kind("PodMonitor")["sankofa"]["spec"]["jobLabel"] == "prometheus-job"


def test_redis_runs_as_in_the_compose_file():
    for name, one in of_kind("StatefulSet").items():
        (container,) = one["spec"]["template"]["spec"]["containers"]
        twin = compose()["services"][name]
        assert container["command"] + container["args"] == twin["command"]
        assert container["image"] in twin["image"]
