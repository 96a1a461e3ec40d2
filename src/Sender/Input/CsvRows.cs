using System.Globalization;
using System.Text;
using System.Text.Unicode;
using CsvHelper;
using CsvHelper.Configuration;

namespace EventHubThroughput.Sender.Input;

/// <summary>One row: its fields, or what is wrong with it.</summary>
internal readonly record struct CsvRow(long Line, IReadOnlyList<string> Fields, string? Problem);

/// <summary>Rows of comma-separated values as RFC 4180 has them: quoted fields may hold commas, doubled quotes and line ends.</summary>
internal sealed class CsvRows(InputLines lines) : IDisposable
{
    private readonly RowText text = new(lines);
    private CsvParser? parser;
    private bool misquoted;

    /// <summary>The next row that is not blank, or null at the end.</summary>
    public CsvRow? Read()
    {
        if (!text.Begin())
        {
            return null;
        }

        parser ??= NewParser();
        misquoted = false;
        parser.Read();
        var fields = text.Problem is null ? parser.Record : null;
        if (text.Problem is { } problem)
        {
            // Nobody knows whether a quote is open: the next line is taken for a row.
            parser.Dispose();
            parser = null;
            return new CsvRow(text.Line, [], problem);
        }

        return misquoted ? new CsvRow(text.Line, [], "a field goes on after its closing quote") : new CsvRow(text.Line, fields!, null);
    }

    public void Dispose()
    {
        parser?.Dispose();
        text.Dispose();
    }

    private CsvParser NewParser() =>
        new(
            text,
            new CsvConfiguration(CultureInfo.InvariantCulture)
            {
                Delimiter = ",",
                NewLine = "\n",
                IgnoreBlankLines = false,

                // A quote stands for itself in a field that does not begin with one; of the others the parser would lose doubled quotes.
                BadDataFound = bad => misquoted |= bad.Field.StartsWith('"'),
            },
            leaveOpen: true
        );

    /// <summary>
    /// The lines of one row, handed over one by one as the parser asks for them, so that it never holds more than a row. The text ends where
    /// the row is too long or no text.
    /// </summary>
    private sealed class RowText(InputLines lines) : TextReader
    {
        private string rest = string.Empty;
        private int position;
        private long length;

        /// <summary>The number of the row's first line.</summary>
        public long Line { get; private set; }

        public string? Problem { get; private set; }

        /// <summary>Goes on to the next line that is not empty; false at the end.</summary>
        public bool Begin()
        {
            while (lines.Read() is { } line)
            {
                if (line.Length > 0)
                {
                    (Line, Problem, length) = (line.Number, null, 0);
                    Take(line);
                    return true;
                }
            }

            return false;
        }

        public override int Read(char[] buffer, int index, int count)
        {
            if (position == rest.Length && Problem is null)
            {
                // A row that goes on after its line has a quote open.
                if (lines.Read() is { } line)
                {
                    Take(line);
                }
                else
                {
                    Problem = "a quote is not closed";
                }
            }

            if (Problem is not null)
            {
                return 0;
            }

            var taken = Math.Min(count, rest.Length - position);
            rest.CopyTo(position, buffer, index, taken);
            position += taken;
            return taken;
        }

        private void Take(InputLine line)
        {
            length += line.Length;
            Problem =
                line.TooLong || length > InputProblems.Limit ? $"{length:N0} bytes, limit {InputProblems.Limit:N0}"
                : !Utf8.IsValid(line.Bytes.Span) ? InputProblems.NotUtf8
                : null;
            (rest, position) = (Problem is null ? Encoding.UTF8.GetString(line.Bytes.Span) + "\n" : string.Empty, 0);
        }
    }
}
