"""The report of a comparison: one HTML file, and tables for papers and spreadsheets.

`contents` computes the numbers and tables, `cards` the chosen steps. `page` writes the HTML,
`tables` writes CSV, Markdown and LaTeX. `marks` and `pictures` draw. None of them uses a library:
the caller passes episodes and bytes. All texts pass through the translation function given by the
caller.
"""
