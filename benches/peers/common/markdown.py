"""Tables in Markdown."""


def table(headings, groups):
    """Groups of rows, each below its name: [(name, [[cell]])]; all columns but the first are numbers."""
    lines = [row(headings), row(["---", *["---:"] * (len(headings) - 1)])]
    for name, rows in groups:
        lines.append(row([f"**{name}**", *[""] * (len(headings) - 1)]))
        lines += map(row, rows)
    return "\n".join(lines)


def row(cells):
    """A line of a table; a bar in a cell must not end it."""
    return "|" + "|".join(f" {cell} " if cell else " " for cell in (str(one).replace("|", "\\|") for one in cells)) + "|"


def spaced(number):
    """A whole number with its thousands apart from 10 000 on."""
    return f"{number:.0f}" if number < 10_000 else f"{number:,.0f}".replace(",", " ")
