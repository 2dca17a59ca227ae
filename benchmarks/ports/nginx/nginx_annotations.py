# SPDX-License-Identifier: MIT
"""Which fields of nginx point where: {(file, record): {word: "field field ..."}}.

Left without a word, though it would be true of most of their pointers: strings (ngx_str_t) and what
a buffer is made of, which are also made on the stack and of literals; chains, whose links are
reached through pointers to pointers; what is only copied as part of a structure.
"""

HTTP = "src/http/"
MODULES = "src/http/modules/"
CORE = "src/core/"
EVENT = "src/event/"

ANNOTATIONS = {
    (CORE + "ngx_log.h", "ngx_log_s"): {"traditional": "handler writer action"},
    (CORE + "ngx_connection.h", "ngx_connection_s"): {
        "traditional": "recv send recv_chain send_chain"
    },
    # Whose it is: the address of a module or a function.
    (CORE + "ngx_buf.h", "ngx_buf_s"): {"traditional": "tag"},
    (CORE + "ngx_buf.h", "ngx_output_chain_ctx_s"): {
        "sameregion": "buf pool filter_ctx",
        "traditional": "tag output_filter",
    },
    (CORE + "ngx_buf.h", "ngx_chain_writer_ctx_t"): {"sameregion": "pool"},
    (CORE + "ngx_list.h", "ngx_list_part_s"): {"sameregion": "elts next"},
    (CORE + "ngx_list.h", "ngx_list_t"): {"sameregion": "last pool"},
    (CORE + "ngx_rbtree.h", "ngx_rbtree_s"): {"traditional": "insert"},
    (CORE + "ngx_file.h", "ngx_temp_file_t"): {"sameregion": "pool", "traditional": "warn"},
    ("src/os/unix/ngx_os.h", "ngx_os_io_t"): {
        "traditional": "recv recv_chain udp_recv send udp_send udp_send_chain send_chain"
    },
    (EVENT + "ngx_event.h", "ngx_event_s"): {"traditional": "handler"},
    (EVENT + "ngx_event_connect.h", "ngx_peer_connection_s"): {
        "sameregion": "data",
        "traditional": "get free notify",
    },
    (EVENT + "ngx_event_pipe.h", "ngx_event_pipe_s"): {
        "sameregion": "input_ctx output_ctx pool temp_file",
        "traditional": "input_filter output_filter tag",
    },
    (HTTP + "ngx_http.h", "ngx_http_log_ctx_s"): {"sameregion": "request current_request"},
    (HTTP + "ngx_http_config.h", "ngx_http_conf_ctx_t"): {
        "sameregion": r"\*main_conf \*srv_conf \*loc_conf main_conf srv_conf loc_conf"
    },
    (HTTP + "ngx_http_core_module.h", "ngx_http_phase_handler_s"): {
        "traditional": "checker handler"
    },
    (HTTP + "ngx_http_core_module.h", "ngx_http_core_srv_conf_t"): {"sameregion": "ctx"},
    (HTTP + "ngx_http_core_module.h", "ngx_http_core_loc_conf_s"): {
        "sameregion": r"\*loc_conf \*limit_except_loc_conf loc_conf limit_except_loc_conf",
        "traditional": "handler",
    },
    (HTTP + "ngx_http_script.h", "ngx_http_script_if_code_t"): {
        "sameregion": r"\*loc_conf loc_conf"
    },
    (HTTP + "ngx_http_request.h", "ngx_http_headers_in_t"): {
        "sameregion": (
            "host connection if_modified_since if_unmodified_since if_match if_none_match"
            " user_agent referer content_length content_range content_type range if_range"
            " transfer_encoding te expect upgrade authorization keep_alive accept_encoding via"
        )
    },
    (HTTP + "ngx_http_request.h", "ngx_http_headers_out_t"): {
        "sameregion": (
            "server date content_length content_encoding location refresh last_modified"
            " content_range accept_ranges www_authenticate expires etag content_type_lowcase"
        )
    },
    (HTTP + "ngx_http_request.h", "ngx_http_request_body_t"): {
        "sameregion": "temp_file buf",
        "traditional": "post_handler",
    },
    (HTTP + "ngx_http_request.h", "ngx_http_connection_t"): {"parentptr": "conf_ctx"},
    (HTTP + "ngx_http_request.h", "ngx_http_cleanup_s"): {"sameregion": "next"},
    (HTTP + "ngx_http_request.h", "ngx_http_post_subrequest_t"): {"traditional": "handler"},
    (HTTP + "ngx_http_request.h", "ngx_http_postponed_request_s"): {"sameregion": "request next"},
    (HTTP + "ngx_http_request.h", "ngx_http_posted_request_s"): {"sameregion": "request next"},
    (HTTP + "ngx_http_request.h", "ngx_http_request_s"): {
        # What is being parsed lies in a buffer of the connection, or of the request.  Not uri_start
        # and uri_end, whose memory becomes a link of posted requests.
        "parentptr": (
            r"\*ctx main_conf srv_conf loc_conf header_in "
            "http_connection header_name_start header_name_end header_start header_end uri_ext"
            " args_start "
            "request_start request_end method_end schema_start schema_end host_start host_end "
            "port_start port_end"
        ),
        "sameregion": (
            r"\*parentptr\smain_conf \*parentptr\ssrv_conf \*parentptr\sloc_conf ctx upstream "
            "upstream_states request_body main parent post_subrequest variables pool postponed "
            "posted_requests cleanup"
        ),
        "traditional": "read_event_handler write_event_handler content_handler log_handler",
    },
    (HTTP + "ngx_http_upstream.h", "ngx_http_upstream_peer_t"): {
        "traditional": "init_upstream init"
    },
    (HTTP + "ngx_http_upstream.h", "ngx_http_upstream_srv_conf_s"): {
        "sameregion": r"\*srv_conf srv_conf"
    },
    (HTTP + "ngx_http_upstream.h", "ngx_http_upstream_s"): {
        "sameregion": "pipe input_filter_ctx resolved state",
        "parentptr": "request_bufs conf upstream caches cleanup",
        "traditional": (
            "read_event_handler write_event_handler input_filter_init input_filter create_request"
            " reinit_request process_header abort_request finalize_request rewrite_redirect"
            " rewrite_cookie"
        ),
    },
    (HTTP + "ngx_http_upstream_round_robin.h", "ngx_http_upstream_rr_peer_data_t"): {
        "parentptr": "peers",
        "sameregion": "tried",
    },
    (MODULES + "ngx_http_upstream_keepalive_module.c", "ngx_http_upstream_keepalive_peer_data_t"): {
        "parentptr": "conf",
        "sameregion": "upstream data",
        "traditional": "original_get_peer original_free_peer",
    },
}
