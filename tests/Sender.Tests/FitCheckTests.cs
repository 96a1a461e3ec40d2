using System.Text;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

/// <summary>An event that the hub would not take is found before anything is sent.</summary>
public sealed class FitCheckTests : IDisposable
{
    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Events_that_do_not_fit_are_named_by_their_lines_and_nothing_is_sent()
    {
        var writer = new RecordingWriter { SizeLimit = 20_000 };
        var path = folder.Write(
            "x.jsonl",
            Encoding.UTF8.GetBytes($"{{}}\n\"{new string('x', 20_000)}\"\n\"{new string('x', 19_998)}\"\n\"{new string('x', 30_000)}\"\n")
        );

        var failure = await Assert.ThrowsAsync<UsageException>(() => CheckAsync(writer, path));

        Assert.Equal(
            [
                $"{path}:2: an event with a body of 20,002 bytes is too large: the event hub takes 20,000 bytes with key and properties",
                $"{path}:4: an event with a body of 30,002 bytes is too large: the event hub takes 20,000 bytes with key and properties",
            ],
            failure.Problems
        );
        Assert.Empty(writer.Sent);
    }

    [Fact]
    public async Task A_file_of_events_far_below_the_limit_is_not_read_again()
    {
        var writer = new RecordingWriter { SizeLimit = 20_000 };
        var path = folder.Write("x.jsonl", "{}\n{}\n"u8);
        var source = (IFileSource)InputFile.Open(path, null);
        File.Delete(path);

        await new FitCheck(writer, new SendOptions { Run = "run-1" }, isTraced: false, TimeProvider.System).CheckAsync(
            source,
            TestContext.Current.CancellationToken
        );
    }

    private static Task CheckAsync(RecordingWriter writer, string path) =>
        new FitCheck(writer, new SendOptions { Run = "run-1" }, isTraced: false, TimeProvider.System).CheckAsync(
            (IFileSource)InputFile.Open(path, null),
            TestContext.Current.CancellationToken
        );
}
