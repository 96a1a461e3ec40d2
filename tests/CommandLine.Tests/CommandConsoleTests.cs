using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class CommandConsoleTests
{
    [Fact]
    public void Writes_what_it_is_given_in_one_piece()
    {
        using CountingStream stream = new();
        using var output = CommandConsole.OutputOn(stream);

        output.WriteLine(new string('x', 20_000));
        output.WriteLine("end");

        Assert.Equal([20_000 + Environment.NewLine.Length, 3 + Environment.NewLine.Length], stream.Writes);
    }

    private sealed class CountingStream : MemoryStream
    {
        public List<int> Writes { get; } = [];

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer) => Writes.Add(buffer.Length);
    }
}
