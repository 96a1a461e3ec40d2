using System.Text.Json;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;
using LogLine = EventHubThroughput.Telemetry.Logs.LogLine;

namespace EventHubThroughput.CommandLine.Tests;

/// <summary>The lines of a program's log: one for each entry, in both forms, without secrets.</summary>
public sealed class ProgramLogTests : IDisposable
{
    private readonly StringWriter error = new() { NewLine = "\n" };

    private string[] Lines => error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public void Dispose() => error.Dispose();

    [Fact]
    public void A_line_of_text_has_time_program_level_category_and_message()
    {
        TestLog.Lost(GetLogger(new LogChoice(LogLevel.Warning, Json: false, Frames: false)), "hub", 7, null);
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z consumer warn: category\[1\] hub lost \(7\)$", Assert.Single(Lines));
    }

    [Fact]
    public void A_line_of_JSON_has_the_same_content_with_every_value_by_name()
    {
        TestLog.Lost(GetLogger(new LogChoice(LogLevel.Warning, Json: true, Frames: false)), "hub", 7, null);
        var line = JsonDocument.Parse(Assert.Single(Lines)).RootElement;
        Assert.Equal("consumer", line.GetProperty("Program").GetString());
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", line.GetProperty("Timestamp").GetString()!);
        Assert.Equal("Warning", line.GetProperty("LogLevel").GetString());
        Assert.Equal("category", line.GetProperty("Category").GetString());
        Assert.Equal(1, line.GetProperty("EventId").GetInt32());
        Assert.Equal("hub lost (7)", line.GetProperty("Message").GetString());
        Assert.Equal("hub", line.GetProperty("State").GetProperty("Subject").GetString());
        Assert.Equal(7, line.GetProperty("State").GetProperty("Number").GetInt32());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_exception_is_on_the_same_line_with_its_stack(bool json)
    {
        var log = GetLogger(new LogChoice(LogLevel.Warning, json, Frames: false));
        try
        {
            Throw();
        }
        catch (InvalidOperationException cause)
        {
            TestLog.Lost(log, "hub\nand\u001b[31m more", 7, cause);
        }

        var line = Assert.Single(Lines);
        Assert.Contains("two lines", line, StringComparison.Ordinal);
        Assert.Contains($"{nameof(ProgramLogTests)}.{nameof(Throw)}", line, StringComparison.Ordinal);
        Assert.DoesNotContain(line, char.IsControl);
        Assert.True(
            !json || JsonDocument.Parse(line).RootElement.GetProperty("Exception").GetString()!.Contains("two lines\nof text", StringComparison.Ordinal)
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_secret_that_got_into_a_line_does_not_get_out(bool json)
    {
        var log = GetLogger(new LogChoice(LogLevel.Warning, json, Frames: false));
        TestLog.Lost(
            log,
            "Endpoint=sb://x/;SharedAccessKey=c2VjcmV0;EntityPath=y",
            7,
            new InvalidOperationException("SharedAccessSignature sr=x&sig=c2VjcmV0&se=1")
        );
        var line = Assert.Single(Lines);
        Assert.DoesNotContain("c2VjcmV0", line, StringComparison.Ordinal);
        Assert.Contains("***", line, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(LogLevel.Trace, 3)]
    [InlineData(LogLevel.Debug, 3)]
    [InlineData(LogLevel.Information, 2)]
    [InlineData(LogLevel.Warning, 1)]
    [InlineData(LogLevel.Error, 0)]
    public void Lines_below_the_level_are_not_written(LogLevel level, int written)
    {
        var log = GetLogger(new LogChoice(level, Json: false, Frames: false));
        TestLog.Detail(log, "hub");
        TestLog.Found(log, "hub");
        TestLog.Lost(log, "hub", 1, null);
        Assert.Equal(written, Lines.Length);
    }

    [Fact]
    public void Lines_below_the_level_allocate_nothing()
    {
        var log = GetLogger(new LogChoice(LogLevel.Error, Json: false, Frames: false));

        Assert.Equal(0, Allocations.GetMinimum(Write));
        Assert.Empty(Lines);

        void Write()
        {
            for (var i = 0; i < 1_000; i++)
            {
                TestLog.Detail(log, "hub");
                TestLog.Lost(log, "hub", i, null);
            }
        }
    }

    [Fact]
    public void Frames_are_written_at_any_level_when_they_are_requested_and_only_then()
    {
        using var trace = ProgramLog.Create(new LogChoice(LogLevel.Trace, Json: false, Frames: false), "consumer", error);
        TestLog.Lost(trace.CreateLogger(ProgramLog.FramesCategory), "hub", 1, null);
        Assert.Empty(Lines);

        using var frames = ProgramLog.Create(new LogChoice(LogLevel.None, Json: false, Frames: true), "consumer", error);
        TestLog.Lost(frames.CreateLogger("category"), "hub", 1, null);
        Assert.Empty(Lines);
        TestLog.Detail(frames.CreateLogger(ProgramLog.FramesCategory), "hub");
        Assert.Single(Lines);
    }

    [Fact]
    public void An_empty_request_creates_nothing() => Assert.Same(NullLoggerFactory.Instance, ProgramLog.Create(LogChoice.Nothing, "consumer", error));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Lines_of_the_log_are_distinguished_from_output_for_people(bool json)
    {
        TestLog.Lost(GetLogger(new LogChoice(LogLevel.Warning, json, Frames: false)), "hub", 7, null);
        Assert.True(LogLine.Is(Assert.Single(Lines)));
    }

    [Theory]
    [InlineData("error: --degree 0: out of range, allowed 1 to 4096")]
    [InlineData("emulator ready: hub 'hub' with 1 partitions")]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("2026-01-01T00:00:00.000Z")]
    public void Output_for_people_is_not_a_line_of_the_log(string said) => Assert.False(LogLine.Is(said));

    private static void Throw() => throw new InvalidOperationException("two lines\nof text");

    private ILogger GetLogger(LogChoice choice) => ProgramLog.Create(choice, "consumer", error).CreateLogger("category");
}
