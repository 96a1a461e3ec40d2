using System.Text;
using System.Text.Unicode;

namespace EventHubThroughput.Sender.Input;

/// <summary>One row: its fields, or what is wrong with it.</summary>
internal readonly record struct CsvRow(long Line, IReadOnlyList<string> Fields, string? Problem);

/// <summary>Rows of comma-separated values as RFC 4180 has them: quoted fields may hold commas, doubled quotes and line ends.</summary>
internal sealed class CsvRows(InputLines lines)
{
    private readonly List<string> fields = [];
    private readonly StringBuilder field = new();
    private bool quoted;
    private bool wasQuoted;

    /// <summary>The next row that is not blank, or null at the end.</summary>
    public CsvRow? Read()
    {
        while (lines.Read() is { } line)
        {
            if (line.Length > 0)
            {
                return ReadRow(line);
            }
        }

        return null;
    }

    private CsvRow ReadRow(InputLine first)
    {
        fields.Clear();
        field.Clear();
        quoted = wasQuoted = false;
        string? problem = null;
        long length = 0;
        for (InputLine? next = first; next is { } line; next = lines.Read())
        {
            length += line.Length;
            problem ??=
                line.TooLong || length > InputProblems.Limit ? $"{length:N0} bytes, limit {InputProblems.Limit:N0}"
                : !Utf8.IsValid(line.Bytes.Span) ? InputProblems.NotUtf8
                : null;
            if (problem is null)
            {
                Scan(Encoding.UTF8.GetString(line.Bytes.Span));
            }

            // After a problem nobody knows whether a quote is open: the next line is taken for a row.
            if (problem is not null || !quoted)
            {
                break;
            }

            field.Append('\n');
        }

        problem ??= quoted ? "a quote is not closed" : null;
        fields.Add(field.ToString());
        return new CsvRow(first.Number, problem is null ? [.. fields] : [], problem);
    }

    private void Scan(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            if (quoted)
            {
                if (c != '"')
                {
                    field.Append(c);
                }
                else if (i + 1 < text.Length && text[i + 1] == '"')
                {
                    field.Append('"');
                    i++;
                }
                else
                {
                    quoted = false;
                }
            }
            else if (c == '"' && field.Length == 0 && !wasQuoted)
            {
                quoted = wasQuoted = true;
            }
            else if (c == ',')
            {
                fields.Add(field.ToString());
                field.Clear();
                wasQuoted = false;
            }
            else
            {
                field.Append(c);
            }
        }
    }
}
