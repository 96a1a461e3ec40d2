using System.Globalization;
using System.Net;
using System.Text;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator;

/// <summary>
/// The ports of an emulator. A requested port takes precedence. Next comes the port of the last start with the same data directory, so that connection strings
/// survive a restart. Otherwise a free port is used.
/// </summary>
internal sealed class PortChoice
{
    private const string FileName = "ports.json";
    private const int LargestPort = 65_535;

    // The members of the file. Data directories of earlier versions contain them, so they stay as they are.
    private static readonly Dictionary<EmulatorSetting, string> Members = new()
    {
        [EmulatorSetting.EventHubsPort] = "--eventhubs-port",
        [EmulatorSetting.ServiceBusPort] = "--servicebus-port",
        [EmulatorSetting.BlobPort] = "--blob-port",
        [EmulatorSetting.AdminPort] = "--admin-port",
        [EmulatorSetting.TlsPort] = "--tls-port",
        [EmulatorSetting.AdminTlsPort] = "--admin-tls-port",
    };

    private readonly IPAddress _address;
    private readonly DataDirectory? _data;
    private readonly Dictionary<string, int> _last = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, int> _taken = new(StringComparer.Ordinal);
    private readonly List<EmulatorNotice> _notices = [];

    /// <exception cref="EmulatorException">The file of the last ports is damaged.</exception>
    public PortChoice(IPAddress address, DataDirectory? data)
    {
        _address = address;
        _data = data;
        if (data?.GetFile(FileName) is not { } path || !File.Exists(path))
        {
            return;
        }

        try
        {
            var document = SettingsDocument.ReadFile(path);
            foreach (var member in document.Root.Names)
            {
                _last[member] = document.Root.Integer(member, 0, 1, LargestPort);
            }

            document.ThrowIfWrong();
        }
        catch (UsageException exception)
        {
            throw new EmulatorException(EmulatorErrorKind.InvalidInput, exception.Problems, exception);
        }
    }

    /// <summary>Ports that changed since the last start, one sentence each.</summary>
    public IReadOnlyList<EmulatorNotice> Notices => _notices;

    /// <summary>
    /// Whether two services share a port. They do if the same port was requested for both, or if they shared one at the last start and no other is requested.
    /// </summary>
    public bool Agree((EmulatorSetting Setting, int Asked) one, (EmulatorSetting Setting, int Asked) other) =>
        Wanted(one) is var wanted and not 0 && wanted == Wanted(other);

    /// <summary>Listens on the port of a setting. If the port of the last start is in use, listens on a free one.</summary>
    /// <param name="setting">The setting of the port.</param>
    /// <param name="asked">Its value. 0 takes the port of the last start or a free one.</param>
    /// <param name="listenAsync">Listens on a port, 0 for a free one.</param>
    /// <exception cref="EmulatorException">The requested port is in use.</exception>
    public async Task<T> ListenAsync<T>(EmulatorSetting setting, int asked, Func<int, Task<T>> listenAsync)
    {
        var port = Choose(setting, asked);
        try
        {
            return await listenAsync(port);
        }
        catch (Exception exception) when (PortProbe.IsInUse(exception) && port != 0)
        {
            if (asked != 0)
            {
                throw PortProbe.InUse(setting, port, exception);
            }

            NoteMoved(setting, port);
            return await listenAsync(0);
        }
    }

    // The port to listen on. 0 takes a free one.
    private int Choose(EmulatorSetting setting, int asked)
    {
        if (asked != 0)
        {
            PortProbe.Check(setting, _address, asked);
            return asked;
        }

        if (!_last.TryGetValue(Members[setting], out var last))
        {
            return 0;
        }

        if (PortProbe.IsFree(_address, last))
        {
            return last;
        }

        NoteMoved(setting, last);
        return 0;
    }

    /// <summary>Records the port of a listener.</summary>
    public void Took(EmulatorSetting setting, int port) => _taken[Members[setting]] = port;

    /// <summary>Stores the ports for the next start.</summary>
    /// <exception cref="EmulatorException">The file of the ports cannot be written.</exception>
    public void Save()
    {
        if (_data is not null && !_taken.SequenceEqual(_last.OrderBy(static entry => entry.Key, StringComparer.Ordinal)))
        {
            var members = _taken.Select(static entry => string.Create(CultureInfo.InvariantCulture, $"  \"{entry.Key}\": {entry.Value}"));
            _data.WriteFile(FileName, Encoding.UTF8.GetBytes($"{{\n{string.Join(",\n", members)}\n}}\n"));
        }
    }

    private void NoteMoved(EmulatorSetting setting, int last) =>
        _notices.Add(new EmulatorNotice($"{last}, the port of the last start, is in use. Another one was chosen", setting));

    private int Wanted((EmulatorSetting Setting, int Asked) one) => one.Asked != 0 ? one.Asked : _last.GetValueOrDefault(Members[one.Setting]);
}
