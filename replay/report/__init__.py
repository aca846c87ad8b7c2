"""A comparison as one file people can open, and as tables for papers and spreadsheets.

`contents` works out what is shown, `cards` the chosen steps, `page` writes the HTML and `tables`
CSV, Markdown and LaTeX. `marks` and `pictures` draw. None of them knows a library: whoever calls
hands in episodes and bytes. All words pass through the translation function that is handed in.
"""
