using System.Globalization;
using System.Net;
using System.Text;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator;

/// <summary>
/// The ports of an emulator: those that were asked for, else those of the last start with the same data directory, so that
/// connection strings survive a restart, else free ones.
/// </summary>
internal sealed class PortChoice
{
    private const string FileName = "ports.json";
    private const int LargestPort = 65_535;

    private readonly IPAddress _address;
    private readonly DataDirectory? _data;
    private readonly Dictionary<string, int> _last = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, int> _taken = new(StringComparer.Ordinal);
    private readonly List<string> _notices = [];

    /// <exception cref="UsageException">The file of the last ports is damaged.</exception>
    public PortChoice(IPAddress address, DataDirectory? data)
    {
        _address = address;
        _data = data;
        if (data?.FileOf(FileName) is not { } path || !File.Exists(path))
        {
            return;
        }

        var document = SettingsDocument.ReadFile(path);
        foreach (var option in document.Root.Names)
        {
            _last[option] = document.Root.Integer(option, 0, 1, LargestPort);
        }

        document.ThrowIfWrong();
    }

    /// <summary>Ports that changed since the last start, one sentence each.</summary>
    public IReadOnlyList<string> Notices => _notices;

    /// <summary>Whether two services are to share a port: the same one was asked for, or was shared at the last start and nothing else is asked for.</summary>
    public bool Agree((string Option, int Asked) one, (string Option, int Asked) other) => Wanted(one) is var wanted and not 0 && wanted == Wanted(other);

    /// <summary>Listens on the port of an option; where that of the last start is taken, be it at the last moment, on a free one.</summary>
    /// <param name="option">The option that asks for it, <c>--blob-port</c>.</param>
    /// <param name="asked">Its value; 0 takes the port of the last start or a free one.</param>
    /// <param name="listenAsync">Listens on a port, 0 for a free one.</param>
    /// <exception cref="ExitException">The port that was asked for is in use.</exception>
    public async Task<T> ListenAsync<T>(string option, int asked, Func<int, Task<T>> listenAsync)
    {
        var port = Choose(option, asked);
        try
        {
            return await listenAsync(port);
        }
        catch (Exception exception) when (PortProbe.IsInUse(exception) && port != 0)
        {
            if (asked != 0)
            {
                throw PortProbe.InUse(option, port, exception);
            }

            NoteMoved(option, port);
            return await listenAsync(0);
        }
    }

    // The port to listen on; 0 takes a free one.
    private int Choose(string option, int asked)
    {
        if (asked != 0)
        {
            PortProbe.Check(option, _address, asked);
            return asked;
        }

        if (!_last.TryGetValue(option, out var last))
        {
            return 0;
        }

        if (PortProbe.IsFree(_address, last))
        {
            return last;
        }

        NoteMoved(option, last);
        return 0;
    }

    /// <summary>Notes the port that is listened on.</summary>
    public void Took(string option, int port) => _taken[option] = port;

    /// <summary>Keeps the ports for the next start.</summary>
    public void Save()
    {
        if (_data is not null && !_taken.SequenceEqual(_last.OrderBy(static entry => entry.Key, StringComparer.Ordinal)))
        {
            var members = _taken.Select(static entry => string.Create(CultureInfo.InvariantCulture, $"  \"{entry.Key}\": {entry.Value}"));
            WholeFile.Write(_data.FileOf(FileName), Encoding.UTF8.GetBytes($"{{\n{string.Join(",\n", members)}\n}}\n"));
        }
    }

    private void NoteMoved(string option, int last) => _notices.Add($"{option}: {last}, the port of the last start, is in use; another was taken");

    private int Wanted((string Option, int Asked) one) => one.Asked != 0 ? one.Asked : _last.GetValueOrDefault(one.Option);
}
