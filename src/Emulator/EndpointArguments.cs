using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: where the emulator listens and which clients it accepts.</summary>
internal sealed class EndpointArguments
{
    private const int LargestPort = 65_535;

    private readonly Option<string> _host = Options.TextOr("--host", "address to listen on", "127.0.0.1", "ADDRESS");
    private readonly Option<bool> _allowRemote = Options.Flag("--allow-remote", "allow a --host that other machines can reach");
    private readonly Option<int> _eventHubsPort = Options.Integer("--eventhubs-port", "port of Event Hubs, 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _serviceBusPort = Options.Integer("--servicebus-port", "port of Service Bus, 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _blobPort = Options.Integer("--blob-port", "port of Blob Storage, 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _adminPort = Options.Integer("--admin-port", "port of the administration over HTTP, 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int?> _tlsPort = Options.OptionalInteger(
        "--tls-port",
        "port with TLS for Event Hubs and Service Bus together, with a generated certificate, 0 takes a free one",
        0,
        LargestPort
    );
    private readonly Option<int?> _adminTlsPort = Options.OptionalInteger(
        "--admin-tls-port",
        "port with TLS for the administration, with the same certificate, 0 takes a free one",
        0,
        LargestPort
    );
    private readonly Option<bool> _allowAnonymous = Options.Flag("--allow-anonymous", "accept clients without tokens and signatures");
    private readonly Option<string?> _keyFile = Options.Text("--key-file", "file with the access key (base64, mode 0600), default a random key", "FILE");

    private readonly Option<IReadOnlyList<string>> _policies = Options.List(
        "--policies",
        "policies of the messaging services with few rights, as in reader=Listen,both=Listen+Send",
        []
    );

    public void AddTo(RootCommand root)
    {
        foreach (
            var option in (Option[])
                [_host, _allowRemote, _eventHubsPort, _serviceBusPort, _blobPort, _adminPort, _tlsPort, _adminTlsPort, _allowAnonymous, _keyFile, _policies]
        )
        {
            root.Options.Add(option);
        }

        // A check sees null for an invalid value.
        root.CheckAll(result => PolicyProblems(result.GetValue(_policies) ?? []));
        root.Check(result => result.GetValue(_host) is { } host ? Problem(host, result) : null);
    }

    /// <summary>Adds the files that are read.</summary>
    public NamedFiles AddTo(NamedFiles files, CommandResult result) => files.Reads(_keyFile.Name, result.GetValue(_keyFile));

    public EmulatorOptions Apply(ParseResult parsed, EmulatorOptions options) =>
        options with
        {
            Host = IPAddress.Parse(parsed.GetValue(_host)!),
            EventHubsPort = parsed.GetValue(_eventHubsPort),
            ServiceBusPort = parsed.GetValue(_serviceBusPort),
            BlobPort = parsed.GetValue(_blobPort),
            AdminPort = parsed.GetValue(_adminPort),
            TlsPort = parsed.GetValue(_tlsPort),
            AdminTlsPort = parsed.GetValue(_adminTlsPort),
            AllowAnonymous = parsed.GetValue(_allowAnonymous),
            Policies = [.. parsed.GetValue(_policies)!.Select(static text => AccessPolicy.Parse(text, out _)!)],
            Key = parsed.GetValue(_keyFile) is { } file ? AccessKey.ReadFile(file) : null,
        };

    private IEnumerable<string> PolicyProblems(IReadOnlyList<string> texts)
    {
        List<string> variables = [];
        foreach (var text in texts)
        {
            if (AccessPolicy.Parse(text, out var problem) is not { } policy)
            {
                yield return $"{_policies.Name} {SecretMask.Quote(text)}: {problem}";
            }
            else if (variables.Contains(policy.Variable))
            {
                yield return $"{_policies.Name} '{text}': {policy.Variable} would belong to two policies";
            }
            else
            {
                variables.Add(policy.Variable);
            }
        }
    }

    private string? Problem(string host, CommandResult result)
    {
        if (!IPAddress.TryParse(host, out var address))
        {
            return $"--host '{host}': not an IP address, write 127.0.0.1 or ::1";
        }

        return (IPAddress.IsLoopback(address), result.GetValue(_allowRemote), result.GetValue(_allowAnonymous)) switch
        {
            (false, false, _) => $"--host '{host}': opens the emulator to other machines, add --allow-remote to allow it",
            (false, _, true) => $"--allow-anonymous: not with --host '{host}', authentication is always on there",
            _ => ListenProblem(address) is { } problem ? $"--host '{host}': cannot be listened on, {problem}" : null,
        };
    }

    // The reason why no program can listen on an address of this machine, on any port. Null if one can.
    private static string? ListenProblem(IPAddress address)
    {
        try
        {
            using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(address, 0));
            socket.Listen(1);
            return null;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode == SocketError.AddressNotAvailable ? "it is not an address of this machine" : exception.Message;
        }
    }
}
