using System.Diagnostics.CodeAnalysis;
using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>Passes text on through <see cref="TerminalText"/>. Everything that a program prints goes through it.</summary>
/// <param name="inner">The target. It is not closed here.</param>
internal sealed class TerminalWriter(TextWriter inner) : TextWriter
{
    public override Encoding Encoding => inner.Encoding;

    [AllowNull]
    public override string NewLine
    {
        get => inner.NewLine;
        set => inner.NewLine = value;
    }

    public override void Write(char value) => Write(value.ToString());

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    public override void Write(ReadOnlySpan<char> buffer) => Write(buffer.ToString());

    public override void Write(string? value) => inner.Write(value is null ? null : TerminalText.Of(value));

    public override void WriteLine() => inner.WriteLine();

    public override void WriteLine(string? value) => inner.WriteLine(value is null ? null : TerminalText.Of(value));

    public override Task WriteAsync(string? value) => inner.WriteAsync(value is null ? null : TerminalText.Of(value));

    public override Task WriteLineAsync() => inner.WriteLineAsync();

    public override Task WriteLineAsync(string? value) => inner.WriteLineAsync(value is null ? null : TerminalText.Of(value));

    public override void Flush() => inner.Flush();

    public override Task FlushAsync() => inner.FlushAsync();
}
