"""Every benchmark runs: with --tiny, in seconds, and through public names only."""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
BENCHMARKS = sorted((PROJECT / "benchmarks").glob("*.py"))
NEEDED = {"qt_stalls": "torch", "sam2_parity": "torchvision"}
"""What a benchmark needs that the program does not."""


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_runs(path: Path) -> None:
    needed = NEEDED.get(path.stem)
    if needed is not None and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    done = subprocess.run(
        [sys.executable, path, "--tiny"],
        cwd=PROJECT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_uses_public_names_only(path: Path) -> None:
    private = [
        f"line {node.lineno}: {node.attr}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
        # SAM 2's predictor has no public name for what it computed of a picture.
        and (path.stem, node.attr) != ("sam2_parity", "_features")
    ]
    assert private == []
