"""The Kubernetes manifests of `deploy/kubernetes`, as their files have them."""

from __future__ import annotations

import yaml

from support.repository import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
_TEMPLATED = {"Deployment", "StatefulSet", "Job"}


def documents(*patterns):
    """Return the objects of all files that match, each with the name of its file."""
    files = sorted(file for pattern in patterns for file in FOLDER.glob(pattern))
    return [
        (file.relative_to(FOLDER).as_posix(), one)
        for file in files
        for one in yaml.safe_load_all(file.read_text(encoding="utf-8"))
    ]


def manifests():
    """Return all objects but the kustomization."""
    found = documents("*.yaml", "*/*.yaml")
    return [(file, one) for file, one in found if one["kind"] != "Kustomization"]


def pods():
    """Return the pod of every workload: its file, and its specification."""
    found = {}
    for file, one in manifests():
        if one["kind"] in _TEMPLATED:
            found[file, one["metadata"].get("name", "")] = one["spec"]["template"]
        elif one["kind"] == "Pod":
            found[file, one["metadata"]["name"]] = one
    return found


def own_pods():
    """Return the pods that run our image, by the name of their container."""
    ours = [pod for pod in pods().values() if pod["spec"]["containers"][0]["image"].startswith("sankofa:")]
    return {pod["spec"]["containers"][0]["name"]: pod for pod in ours}


def of_kind(kind):
    """Return the objects of one kind, by name."""
    return {one["metadata"]["name"]: one for _, one in manifests() if one["kind"] == kind}


def environment(pod):
    """Return the variables that a pod has: its own, and those of its config maps."""
    (container,) = pod["spec"]["containers"]
    maps = of_kind("ConfigMap")
    named = [each["configMapRef"]["name"] for each in container.get("envFrom", ())]
    return {name: text for one in named for name, text in maps[one]["data"].items()}


def secrets(pod):
    """Return the secrets of a pod: where it finds each, and which one it is."""
    volumes = [each["secret"] for each in pod["spec"]["volumes"] if "secret" in each]
    return {item["path"]: item["key"] for volume in volumes for item in volume["items"]}
