"""Tables in plain text."""


def aligned(rows, left=1, head=None):
    """Rows as columns, the first `left` of them and the last flush left; a row that is a string stands on its own."""
    if head:
        rows = [head, *rows]
    widths = [max(len(row[column]) for row in rows if not isinstance(row, str)) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        if isinstance(row, str):
            lines += ["", row]
            continue
        padded = [cell.ljust(width) if column < left or column == len(widths) - 1 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def digits(number, count=3):
    """A number with that many significant digits, without an exponent."""
    if number is None:
        return ""
    whole = len(str(int(abs(number)))) if abs(number) >= 1 else 1
    return f"{number:.{max(0, count - whole)}f}" if abs(number) >= 1 else f"{number:.{count}f}"
