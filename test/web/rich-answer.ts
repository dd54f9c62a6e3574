/** An answer with everything that an answer can have, so that a page which shows it shows how each part looks. */
export const richAnswer = `## How the import behaves

An import runs **once for each day**, and its cost grows with $n \\log n$ of its rows. The whole of it is one sum[^1]:

$$
T(n) = \\sum_{k=1}^{n} \\left( \\frac{a_k}{1 + b_k} \\right)^2 + \\int_0^1 f(x)\\,dx + \\alpha_1 x_1 + \\alpha_2 x_2 + \\alpha_3 x_3 + \\alpha_4 x_4
$$

### What to do

- [x] Name each run, for example \`import:2026-11-24\`
- [ ] Claim the name *before* the first row
  - in the same transaction, so that nothing is left behind
  - with a lock that ends with the connection

\`\`\`python
def run(name: str, rows: Iterable[Row], *, batch_size: int = 500) -> Report:
    """Imports the rows once. A second run of the same name finds it claimed, and reports what the first one did."""
    with claim(name) as claimed:
        return insert(rows, batch_size) if claimed else report_of(name)
\`\`\`

| Step | Rows read | Rows written | Duration | Owner | Remarks of the person who ran it |
|:--|--:|--:|--:|:--|:--|
| Read the file | 1,204,113 | 0 | 12.4 s | Ada | The file had two headers |
| Check each row | 1,204,113 | 0 | 48.0 s | Grace | 17 rows were refused, all of them without a date |
| Write the orders | 1,204,096 | 1,204,096 | 2 min | Ada | In batches of 500 |

> A step that can be repeated needs no guard. A step that cannot be repeated needs a name.

See https://example.com/a/very/long/address/that/does/not/fit/into/one/line/of/a/phone/and/has/no/place/to/break for more.

1. First, the export.
2. Then the import.

---

[^1]: With all batches of the same size.
`;
