using System.Buffers;
using System.Collections.Frozen;
using System.Globalization;
using System.Text;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>
/// Frames as one line of plain text, to show what went over the wire. Absent fields are left out. Confidential fields are shown only by their length:
/// payloads, which hold bodies and tokens, and the data of SASL.
/// </summary>
public static class FrameText
{
    private const int LongestText = 200;
    private const int LongestLine = 4_000;
    private const string Hidden = "***";

    private static readonly string[] SignsOfSecrets = ["SharedAccessSignature", "SharedAccessKey=", "AccountKey=", "sig=", "Bearer "];

    // The specification's names, in the order of the fields.
    private static readonly FrozenDictionary<ulong, (string Name, string[] Fields)> Types = new Dictionary<ulong, (string, string[])>
    {
        [Descriptor.Open] = Type(
            "open",
            "container-id hostname max-frame-size channel-max idle-time-out outgoing-locales incoming-locales offered-capabilities desired-capabilities properties"
        ),
        [Descriptor.Begin] = Type(
            "begin",
            "remote-channel next-outgoing-id incoming-window outgoing-window handle-max offered-capabilities desired-capabilities properties"
        ),
        [Descriptor.Attach] = Type(
            "attach",
            "name handle role snd-settle-mode rcv-settle-mode source target unsettled incomplete-unsettled initial-delivery-count max-message-size offered-capabilities desired-capabilities properties"
        ),
        [Descriptor.Flow] = Type(
            "flow",
            "next-incoming-id incoming-window next-outgoing-id outgoing-window handle delivery-count link-credit available drain echo properties"
        ),
        [Descriptor.Transfer] = Type("transfer", "handle delivery-id delivery-tag message-format settled more rcv-settle-mode state resume aborted batchable"),
        [Descriptor.Disposition] = Type("disposition", "role first last settled state batchable"),
        [Descriptor.Detach] = Type("detach", "handle closed error"),
        [Descriptor.End] = Type("end", "error"),
        [Descriptor.Close] = Type("close", "error"),
        [Descriptor.Error] = Type("error", "condition description info"),
        [Descriptor.Received] = Type("received", "section-number section-offset"),
        [Descriptor.Accepted] = Type("accepted", string.Empty),
        [Descriptor.Rejected] = Type("rejected", "error"),
        [Descriptor.Released] = Type("released", string.Empty),
        [Descriptor.Modified] = Type("modified", "delivery-failed undeliverable-here message-annotations"),
        [Descriptor.Source] = Type(
            "source",
            "address durable expiry-policy timeout dynamic dynamic-node-properties distribution-mode filter default-outcome outcomes capabilities"
        ),
        [Descriptor.Target] = Type("target", "address durable expiry-policy timeout dynamic dynamic-node-properties capabilities"),
        [Descriptor.Coordinator] = Type("coordinator", "capabilities"),
        [Descriptor.TransactionalState] = Type("transactional-state", "txn-id outcome"),
        [Descriptor.SaslMechanisms] = Type("sasl-mechanisms", "sasl-server-mechanisms"),
        [Descriptor.SaslInit] = Type("sasl-init", "mechanism initial-response hostname"),
        [Descriptor.SaslChallenge] = Type("sasl-challenge", "challenge"),
        [Descriptor.SaslResponse] = Type("sasl-response", "response"),
        [Descriptor.SaslOutcome] = Type("sasl-outcome", "code additional-data"),
    }.ToFrozenDictionary();

    /// <summary>A protocol header: protocol and version.</summary>
    public static string Of(ProtocolHeader header)
    {
        var protocol = header.ProtocolId switch
        {
            0 => "AMQP",
            2 => "TLS",
            3 => "SASL",
            _ => string.Create(CultureInfo.InvariantCulture, $"protocol {header.ProtocolId}"),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{protocol} {header.Major}.{header.Minor}.{header.Revision}");
    }

    /// <summary>A frame: its channel, its performative, and how many bytes of payload follow.</summary>
    public static string Of(in Frame frame)
    {
        var text = new StringBuilder();
        if (frame.Type == FrameType.Amqp)
        {
            text.Append(CultureInfo.InvariantCulture, $"[{frame.Channel}] ");
        }

        if (frame.Performative is null)
        {
            return text.Append("empty").ToString();
        }

        Append(text, Decoded(frame.Performative), string.Empty);
        if (text.Length > LongestLine)
        {
            text.Length = LongestLine;
            text.Append('…');
        }

        if (frame.Performative is Transfer)
        {
            text.Append(CultureInfo.InvariantCulture, $", {frame.Payload.Length} bytes of payload");
        }

        return text.ToString();
    }

    private static (string Name, string[] Fields) Type(string name, string fields) => (name, fields.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    // As on the wire: fields with their default value are absent there, and one table of names serves all types.
    private static object? Decoded(Performative performative)
    {
        var encoded = new ArrayBufferWriter<byte>();
        performative.Encode(encoded);
        return new AmqpReader(encoded.WrittenMemory).ReadValue();
    }

    private static void Append(StringBuilder text, object? value, string field)
    {
        if (text.Length > LongestLine)
        {
            // The rest is cut off anyway.
            return;
        }

        switch (value)
        {
            case null:
                text.Append("null");
                break;
            case AmqpDescribed { Descriptor: ulong code, Value: AmqpList fields } when Types.TryGetValue(code, out var type):
                AppendFields(text, type.Name, type.Fields, fields);
                break;
            case AmqpDescribed described:
                // Some peers describe values by their own texts, which may contain tokens.
                Append(text, described.Value, field);
                break;
            case bool role when field == "role":
                text.Append(role ? "receiver" : "sender");
                break;
            case bool flag:
                text.Append(flag ? "true" : "false");
                break;
            case string words:
                text.Append('"').Append(Plain(words)).Append('"');
                break;
            case AmqpSymbol symbol:
                text.Append(Plain(symbol.Value));
                break;
            case ReadOnlyMemory<byte> bytes when field == "delivery-tag":
                text.Append("0x").Append(Convert.ToHexStringLower(bytes.Span));
                break;
            case ReadOnlyMemory<byte> bytes:
                text.Append(CultureInfo.InvariantCulture, $"({bytes.Length} bytes)");
                break;
            case AmqpMap map:
                AppendAll(text, '{', map, static (to, entry) => AppendEntry(to, entry), '}');
                break;
            case AmqpArray array:
                AppendAll(text, '[', array.Items, static (to, item) => Append(to, item, string.Empty), ']');
                break;
            case AmqpList list:
                AppendAll(text, '[', list, static (to, item) => Append(to, item, string.Empty), ']');
                break;
            case AmqpTimestamp time:
                text.Append(CultureInfo.InvariantCulture, $"{time.ToDateTimeOffset():yyyy-MM-ddTHH:mm:ss.fffZ}");
                break;
            default:
                text.Append(Plain(Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty));
                break;
        }
    }

    private static void AppendFields(StringBuilder text, string name, string[] names, AmqpList fields)
    {
        text.Append(name);
        if (names.Length == 0)
        {
            return;
        }

        var present = fields.Index().Where(field => field.Item is not null);
        AppendAll(
            text,
            '(',
            present,
            (to, field) =>
            {
                var fieldName = field.Index < names.Length ? names[field.Index] : field.Index.ToString(CultureInfo.InvariantCulture);
                Append(to.Append(fieldName).Append('='), field.Item, fieldName);
            },
            ')'
        );
    }

    private static void AppendEntry(StringBuilder text, KeyValuePair<object, object?> entry)
    {
        Append(text, entry.Key, string.Empty);
        Append(text.Append(": "), entry.Value, string.Empty);
    }

    private static void AppendAll<T>(StringBuilder text, char open, IEnumerable<T> items, Action<StringBuilder, T> append, char close)
    {
        text.Append(open);
        var separator = string.Empty;
        foreach (var item in items)
        {
            append(text.Append(separator), item);
            separator = ", ";
        }

        text.Append(close);
    }

    // On one line, of limited length, and without signatures, in any field of the peer.
    private static string Plain(string words)
    {
        if (Array.Exists(SignsOfSecrets, sign => words.Contains(sign, StringComparison.OrdinalIgnoreCase)))
        {
            return Hidden;
        }

        var shown = words.Length > LongestText ? string.Concat(words.AsSpan(0, LongestText), "…") : words;
        return shown.Any(char.IsControl) ? string.Concat(shown.Select(static letter => char.IsControl(letter) ? ' ' : letter)) : shown;
    }
}
