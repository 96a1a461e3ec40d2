using System.Text;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Journal;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>An emulator with a journal, on which a test arms what it needs.</summary>
public abstract class FaultyEmulator : RunningEmulator
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"emulator-faults-{Guid.NewGuid():N}.journal");

    private protected IReadOnlyList<JournalRecord> Journal => [.. JournalFile.Open(_path).Records];

    private protected override EmulatorOptions Options() => new() { JournalPath = _path };

    private protected void Arm(string json) => Host.Faults.Arm(FaultReader.Read(SettingsDocument.Parse("body", Encoding.UTF8.GetBytes(json))));

    /// <summary>The records from the fault's on: it comes before what it does.</summary>
    private protected IReadOnlyList<JournalRecord> AfterFault(string point, string action)
    {
        var records = Journal.SkipWhile(static record => record is not FaultInjected).ToList();
        var fault = Xunit.Assert.IsType<FaultInjected>(records.FirstOrDefault());
        Xunit.Assert.Equal((point, action), (fault.Point, fault.Action));
        return records[1..];
    }

    private protected async Task<Peer> ConnectAsync(string connection, string path)
    {
        var peer = await Peer.ConnectAsync(connection);
        Xunit.Assert.Equal(202, await peer.PutTokenAsync(path) is 200 or 202 ? 202 : 0);
        return peer;
    }
}
