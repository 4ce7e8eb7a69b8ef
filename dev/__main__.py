"""The command behind `make up` and `make down`; `python -m dev --help` lists all it can do."""

import argparse
import shlex
import sys

from dev import (
    api_answers,
    api_pages,
    application,
    architecture_picture,
    datasets_page,
    inventory,
    leaks,
    limits_page,
    line_items_page,
    monitoring_files,
    problem_pages,
    reference,
    screenshots,
)
from dev import image as built_image
from dev import pages as built_pages
from dev import prose as prose_check
from dev.installation import Installation
from dev.service import StackError
from dev.stack import Stack
from dev.worker import Worker
from sankofa.metrics.pages import methodology_page
from sankofa.quality.pages import quality_page


def up(stack: Stack) -> None:
    """Start the stack and the application."""
    application.bring_up(stack)


def edge(stack: Stack) -> None:
    """Put nginx and Varnish in front of the API of `make up`; they are installed by `dev/setup.sh edge`."""
    application.put_edge_in_front(stack)


def down(stack: Stack) -> None:
    """Stop the application and the stack; the data stays."""
    application.take_down(stack)
    stack.stop()


def destroy(stack: Stack) -> None:
    """Stop everything and remove the local data."""
    application.take_down(stack)
    stack.destroy()


def status(stack: Stack) -> None:
    """Print what runs, where, and where its data is."""
    for service in (*stack.services, *application.services(stack)):
        pid = service.pid
        address = f"127.0.0.1:{service.ports[service.name]}" if service.ports else "no port"
        state = "stopped" if pid is None else f"pid {pid}" if service.ready() else f"pid {pid}, not answering"
        print(f"{service.name:<12} {address:<16} {state:<24} {service.home}")


def env(stack: Stack) -> None:
    """Print the settings of the local installation, for `eval` in a shell."""
    installation = Installation(stack)
    sources = Worker(installation).sources
    live = {"SANKOFA_SOURCES": str(sources)} if sources.exists() else {}  # while `make live` runs
    for name, value in (installation.environment | live).items():
        print(f"export {name}={shlex.quote(value)}")


def settings(_stack: Stack) -> None:
    """Write the page on settings anew."""
    reference.write(reference.SETTINGS_PAGE, reference.settings_page())


def metrics(_stack: Stack) -> None:
    """Write the methodology page of metrics anew."""
    reference.write(reference.METRICS_PAGE, methodology_page())


def monitoring(_stack: Stack) -> None:
    """Write the operators' page on metrics and the Grafana dashboard anew."""
    reference.write(monitoring_files.PAGE, monitoring_files.metrics_page())
    reference.write(monitoring_files.DASHBOARD, monitoring_files.dashboard())


def quality(_stack: Stack) -> None:
    """Write the methodology page of quality anew."""
    reference.write(reference.QUALITY_PAGE, quality_page())


def problems(_stack: Stack) -> None:
    """Write the pages on errors anew."""
    for name, text in problem_pages.pages().items():
        reference.write(problem_pages.FOLDER / name, text)


def limits(_stack: Stack) -> None:
    """Write the page on limits anew."""
    reference.write(limits_page.PAGE, limits_page.limits_page())


def line_items(_stack: Stack) -> None:
    """Write the page on line items anew."""
    reference.write(line_items_page.PAGE, line_items_page.line_items_page())


def datasets(_stack: Stack) -> None:
    """Write the page on datasets anew."""
    reference.write(datasets_page.PAGE, datasets_page.datasets_page())


def api(_stack: Stack) -> None:
    """Write the API reference anew, with the answers that were last taken."""
    for name, text in api_pages.pages(api_answers.kept()).items():
        reference.write(api_pages.FOLDER / name, text)


def answers(stack: Stack) -> None:
    """Fetch the answers of the API reference from the stack of `make up`, and rewrite the reference."""
    api_answers.write(api_answers.take(stack))
    api(stack)


def picture(_stack: Stack) -> None:
    """Draw the picture of the architecture anew from its text."""
    reference.write(architecture_picture.PICTURE, architecture_picture.svg())


def screenshot(stack: Stack) -> None:
    """Save a screenshot of the explorer on the stack of `make up` as the README's picture."""
    screenshots.take(stack)


def prose(_stack: Stack) -> None:
    """Check the English of the README and the docs."""
    status, found = prose_check.check(prose_check.pages())
    if status:
        raise StackError(found)
    print("no finding")


def pages(_stack: Stack) -> None:
    """Build the pages that the API serves to people, where their sources have changed."""
    built_pages.build()


def sbom(_stack: Stack) -> None:
    """Write the bill of materials and the licence texts of what the image ships to `dist`."""
    parts = inventory.write()
    print(f"{len(parts)} parts: {inventory.FOLDER / inventory.BILL}, {inventory.FOLDER / inventory.TEXTS}")


def image(_stack: Stack) -> None:
    """Build the image of the service with Docker or buildah, and print its size."""
    builder = built_image.build()
    print(f"{built_image.NAME} by {builder}: {built_image.size():,} bytes")


def scan(_stack: Stack) -> None:
    """Scan the files of the repository for secrets."""
    status, found = leaks.scan()
    if status:
        raise StackError(found)
    print("no secret was found")


COMMANDS = {
    command.__name__: command
    for command in (
        up,
        edge,
        down,
        status,
        env,
        pages,
        sbom,
        image,
        scan,
        api,
        answers,
        picture,
        screenshot,
        prose,
        settings,
        problems,
        limits,
        datasets,
        line_items,
        metrics,
        monitoring,
        quality,
        destroy,
    )
}


def main() -> int:
    """Run one command on the local stack."""
    parser = argparse.ArgumentParser(prog="python -m dev", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    command = COMMANDS[parser.parse_args().command]
    try:
        command(Stack.local())
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
