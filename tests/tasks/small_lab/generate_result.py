from pathlib import Path

import pandas as pd


def find_all_traces_files(folder):
    return {"_".join(one.name.split("_")[:2]): one for one in Path(folder).iterdir()}
